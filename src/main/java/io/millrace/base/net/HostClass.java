package io.millrace.base.net;

import java.util.Locale;

/** Class of the host of an outbound call. The number of hosts is unbounded; that of classes is small. */
public enum HostClass {
    /** Named by a flow: services that pieces call, external webhooks, files of steps. */
    FLOW,
    /** Hands out and renews the tokens of connections. */
    OAUTH,
    IDENTITY_PROVIDER,
    AI_PROVIDER,
    /** Finds and reads pages for agents. */
    WEB,
    MCP_SERVER,
    EVENT_DESTINATION,
    SECRET_MANAGER,
    /** Keeps files and backups. */
    FILE_STORAGE,
    /** Serves the index and the logos of pieces. */
    PIECE_REGISTRY;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
