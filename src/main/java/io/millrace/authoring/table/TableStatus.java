package io.millrace.authoring.table;

/** Stored for clients; nothing here depends on it (contract flows-and-engine 22.6). */
public enum TableStatus {
    ENABLED,
    DISABLED
}
