package io.millrace.base.monitoring;

/** Where a server is between the start and the end of its process. */
public enum ServerPhase {
    /** Nothing can be taken yet: the database, its schema or the modules are not there. */
    STARTING,
    /** The schema is brought up to this release, after a backup. */
    MIGRATING,
    /** Calls are taken, if the checks say so. */
    RUNNING,
    /** Calls are still answered, and should go elsewhere; then the process ends. */
    STOPPING
}
