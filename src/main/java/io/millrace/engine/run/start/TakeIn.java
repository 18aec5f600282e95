package io.millrace.engine.run.start;

import io.millrace.base.bus.BusRequest;

/**
 * Takes a run in, unless another one with its key was taken in lately; answers whether it was. What waits for its answer is
 * durable by then.
 */
record TakeIn(IngestedRun run) implements BusRequest<Boolean> {}
