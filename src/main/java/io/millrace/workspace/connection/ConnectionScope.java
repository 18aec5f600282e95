package io.millrace.workspace.connection;

/** Owner of a connection (contract admin-api 7.1, 8). */
public enum ConnectionScope {
    PROJECT,
    /** Connection of the platform, which assigns it to any of its projects. */
    PLATFORM
}
