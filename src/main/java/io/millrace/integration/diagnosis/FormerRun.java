package io.millrace.integration.diagnosis;

import java.time.Instant;

/** The last successful run of a flow before a failed one. */
record FormerRun(String id, String flowVersionId, Instant created, Instant finishTime) {}
