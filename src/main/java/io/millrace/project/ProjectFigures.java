package io.millrace.project;

/** Counts that are shown with a project (contract admin-api 3.1). */
public record ProjectFigures(int totalUsers, int activeUsers, int totalFlows, int activeFlows) {}
