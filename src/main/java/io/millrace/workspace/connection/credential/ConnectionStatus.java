package io.millrace.workspace.connection.credential;

/** Usability of a connection (contract admin-api 7.1). */
public enum ConnectionStatus {
    ACTIVE,
    /** A place for a connection that has no value yet. */
    MISSING,
    /** Its token could not be renewed, or a recheck has failed. */
    ERROR
}
