package io.millrace.workspace.connection;

/** Owner of a connection (contract admin-api 7.1, 8). */
public enum ConnectionScope {
    /** Of one project. */
    PROJECT,
    /** Of the platform, which assigns it to any of its projects. */
    PLATFORM
}
