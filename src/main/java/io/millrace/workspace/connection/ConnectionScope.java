package io.millrace.workspace.connection;

/** Whose a connection is (contract admin-api 7.1, 8). */
public enum ConnectionScope {
    /** Of one project. */
    PROJECT,
    /** Of the platform, which gives it to any of its projects. */
    PLATFORM
}
