package io.millrace.engine.run.ending;

import io.millrace.base.bus.BusRequest;

/** The trigger has prepared a run that was taken up. That another node owns the run meanwhile, its next write finds out. */
public record RunPrepared(String runId, long fence) implements BusRequest<Void> {}
