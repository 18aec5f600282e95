package io.millrace.workspace.project;

/**
 * Limits of projects.
 *
 * @param concurrentJobs concurrent runs of a project without a limit of its own (AP_DEFAULT_CONCURRENT_JOBS_LIMIT)
 * @param teamProjectsMax team projects of a platform (AP_TEAM_PROJECTS_MAX)
 */
public record ProjectLimits(int concurrentJobs, int teamProjectsMax) {}
