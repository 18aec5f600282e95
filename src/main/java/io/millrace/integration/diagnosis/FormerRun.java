package io.millrace.integration.diagnosis;

import java.time.Instant;

record FormerRun(String id, String flowVersionId, Instant created, Instant finishTime) {}
