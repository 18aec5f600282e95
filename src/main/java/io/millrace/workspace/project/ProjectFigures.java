package io.millrace.workspace.project;

/** Counts that are shown with a project (contract admin-api 3.1). */
public record ProjectFigures(int totalUsers, int activeUsers, int totalFlows, int activeFlows) {
    /** Figures of a new project: no flows, and no members because the owner does not count as one. */
    static final ProjectFigures NONE = new ProjectFigures(0, 0, 0, 0);
}
