package io.millrace.workspace.connection.credential;

/** Usability of a connection (contract admin-api 7.1). */
public enum ConnectionStatus {
    ACTIVE,
    /** A placeholder for a connection, without a value. */
    MISSING,
    /** Its token could not be renewed, or a recheck has failed. */
    ERROR
}
