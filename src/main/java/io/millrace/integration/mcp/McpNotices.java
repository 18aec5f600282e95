package io.millrace.integration.mcp;

import io.millrace.base.bus.ClusterNotice;
import java.util.List;

public final class McpNotices {
    private McpNotices() {}

    public static List<Class<? extends ClusterNotice>> all() {
        return List.of(
                McpServers.ToolsChanged.class,
                McpServers.ContextChanged.class,
                McpSessions.Ended.class,
                McpCalls.Cancelled.class);
    }
}
