package io.millrace.workspace.project;

/** Whose project it is (contract admin-api 3.1). */
public enum ProjectType {
    /** Of the platform: shared by its members. */
    TEAM,
    /** Of one user: made when the user joins the platform, gone only with the user. */
    PERSONAL
}
