package io.millrace.workspace.project;

/** Filter of the pieces that a project may use (contract admin-api 3.1). */
public enum PiecesFilterType {
    /** Every piece. */
    NONE,
    /** Only pieces that the plan lists. */
    ALLOWED
}
