package io.millrace.engine.run.actor;

import io.millrace.base.bus.BusRequest;

/**
 * Cancels a run whose actor lives on the asked shard. Answered when the run has ended; false when there is no such
 * actor, or another owner.
 */
public record RunCancel(String runId) implements BusRequest<Boolean> {}
