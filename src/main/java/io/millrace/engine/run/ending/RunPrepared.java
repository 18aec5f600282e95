package io.millrace.engine.run.ending;

import io.millrace.base.bus.BusRequest;

/** The trigger has prepared a run that was taken up. A change of the owner meanwhile is detected by the next write. */
public record RunPrepared(String runId, long fence) implements BusRequest<Void> {}
