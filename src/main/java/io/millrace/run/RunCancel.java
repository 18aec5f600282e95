package io.millrace.run;

import io.millrace.bus.Request;

/**
 * Cancels a run whose actor lives on the asked shard. Answered when the run has ended; false when there is no such
 * actor, or another owner.
 */
record RunCancel(String runId) implements Request<Boolean> {}
