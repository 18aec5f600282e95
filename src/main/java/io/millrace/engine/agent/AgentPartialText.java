package io.millrace.engine.agent;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Notice;

/**
 * Text that the model of a run writes, published to the subscribers at this node before it is recorded. Subscribers at other
 * nodes are notified once it is recorded ({@link AgentRunRows.Recorded}).
 */
record AgentPartialText(int turn, String text) implements Notice {
    static void tell(Bus bus, String runId, AgentPartialText news) {
        bus.publish(addressOf(runId), news);
    }

    static String addressOf(String runId) {
        return "agent.news." + runId;
    }
}
