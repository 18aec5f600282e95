package io.millrace.workspace.project;

/** Kind of owner of a project (contract admin-api 3.1). */
public enum ProjectType {
    TEAM,
    /** Project of one user: created when the user joins the platform, deleted only with the user. */
    PERSONAL
}
