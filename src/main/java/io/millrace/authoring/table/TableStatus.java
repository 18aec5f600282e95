package io.millrace.authoring.table;

/** Stored for clients; the server ignores it (contract flows-and-engine 22.6). */
public enum TableStatus {
    ENABLED,
    DISABLED
}
