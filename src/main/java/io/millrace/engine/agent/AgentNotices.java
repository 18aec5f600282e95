package io.millrace.engine.agent;

import io.millrace.base.bus.ClusterNotice;
import java.util.List;

public final class AgentNotices {
    private AgentNotices() {}

    public static List<Class<? extends ClusterNotice>> all() {
        return List.of(AgentRunRows.Accepted.class, AgentRunRows.Recorded.class, AgentRunRows.Cancelled.class);
    }
}
