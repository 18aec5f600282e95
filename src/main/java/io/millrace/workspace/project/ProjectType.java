package io.millrace.workspace.project;

/** Kind of owner of a project (contract admin-api 3.1). */
public enum ProjectType {
    /** Of the platform: shared by its members. */
    TEAM,
    /** Of one user: created when the user joins the platform, deleted only with the user. */
    PERSONAL
}
