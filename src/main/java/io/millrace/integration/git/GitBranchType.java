package io.millrace.integration.git;

/** Purpose of a branch (seed, Git repository). */
public enum GitBranchType {
    /** Only explicit pushes change it. */
    PRODUCTION,
    /** Flows that are deleted are removed from it too. */
    DEVELOPMENT
}
