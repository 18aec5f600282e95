package io.millrace.base.config;

import java.util.Locale;

/** Role of a node (AP_NODE_ROLE). */
public enum NodeRole {
    ALL,
    /** Takes calls and executes the runs that they start; takes no other work. */
    API,
    /** Looks for work in the database; answers probes only. */
    WORKER;

    static NodeRole of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean takesCalls() {
        return this != WORKER;
    }

    public boolean takesWork() {
        return this != API;
    }
}
