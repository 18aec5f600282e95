package io.millrace.integration.release;

/** Where a release takes its state from (contract admin-api 11). */
public enum ReleaseType {
    GIT,
    PROJECT,
    ROLLBACK
}
