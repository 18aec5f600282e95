package io.millrace.workspace.project;

/** Which pieces a project may use (contract admin-api 3.1). */
public enum PiecesFilterType {
    /** Every piece. */
    NONE,
    /** Only those that the plan lists. */
    ALLOWED
}
