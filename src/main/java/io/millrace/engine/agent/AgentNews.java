package io.millrace.engine.agent;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Notice;

/**
 * What the model of a run writes, told to those who follow the run at this node while nothing of it is recorded yet. Whoever is
 * at another node is told when it is ({@link AgentRunRows.Recorded}).
 */
record AgentNews(int turn, String text) implements Notice {
    static void tell(Bus bus, String runId, AgentNews news) {
        bus.publish(addressOf(runId), news);
    }

    static String addressOf(String runId) {
        return "agent.news." + runId;
    }
}
