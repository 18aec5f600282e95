package io.millrace.authoring.table;

/** Stored for clients; the server ignores it (contract flows-and-engine 22.6). */
public enum TableTrigger {
    ON_NEW_RECORD,
    ON_UPDATE_RECORD
}
