package io.millrace.workspace.connection.credential;

/** Whether a connection can be used (contract admin-api 7.1). */
public enum ConnectionStatus {
    ACTIVE,
    /** A place for a connection that has no value yet. */
    MISSING,
    /** Its token could not be renewed, or a recheck has failed. */
    ERROR
}
