package io.millrace.integration.release;

/** Kind of the source of a release (contract admin-api 11). */
public enum ReleaseType {
    GIT,
    PROJECT,
    ROLLBACK
}
