package io.millrace.workspace.project;

/**
 * Limits of projects.
 *
 * @param concurrentJobs concurrent runs of a project that has no limit itself (AP_DEFAULT_CONCURRENT_JOBS_LIMIT)
 * @param teamProjectsMax team projects of a platform (AP_TEAM_PROJECTS_MAX)
 */
public record ProjectLimits(int concurrentJobs, int teamProjectsMax) {}
