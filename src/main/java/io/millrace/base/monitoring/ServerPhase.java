package io.millrace.base.monitoring;

public enum ServerPhase {
    /** No call can be taken yet: the database, its schema or the modules are not ready. */
    STARTING,
    /** The schema is brought up to this release, after a backup. */
    MIGRATING,
    RUNNING,
    /** Calls are still answered, and should be sent to other servers; then the process ends. */
    STOPPING
}
