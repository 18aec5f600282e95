package io.millrace.engine.agent;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Notice;

/** What runs of this node tell those who watch them. Whoever is at another node looks at the rows now and then. */
sealed interface AgentNews extends Notice {
    /** Something more is recorded. */
    record Recorded() implements AgentNews {}

    /** The model writes; nothing of it is recorded yet. */
    record Writing(int turn, String text) implements AgentNews {}

    static void tell(Bus bus, String runId, AgentNews news) {
        bus.publish(addressOf(runId), news);
    }

    static String addressOf(String runId) {
        return "agent.news." + runId;
    }
}
