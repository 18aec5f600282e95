package io.millrace.base.net;

import java.util.Locale;

/** What kind of host a call to the outside is made to. Hosts themselves are without number; of these there are few. */
public enum HostClass {
    /** Named by a flow: the services that pieces call, webhooks of others, files of steps. */
    FLOW,
    /** Hands out and renews the tokens of connections. */
    OAUTH,
    /** Signs people in. */
    IDENTITY_PROVIDER,
    /** Answers with a model. */
    AI_PROVIDER,
    /** Finds and reads pages for agents. */
    WEB,
    /** Has tools for agents. */
    MCP_SERVER,
    /** Is told of events. */
    EVENT_DESTINATION,
    /** Keeps secrets of connections. */
    SECRET_MANAGER,
    /** Keeps files and backups. */
    FILE_STORAGE,
    /** Tells of pieces and shows their logos. */
    PIECE_REGISTRY;

    /** As a label says it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
