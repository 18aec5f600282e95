package io.millrace.engine.run.start;

import io.millrace.base.bus.BusRequest;

/**
 * Stores a run, unless another one with its key was stored recently; returns whether it was. A positive answer is
 * durable.
 */
record IngestRequest(IngestedRun run) implements BusRequest<Boolean> {}
