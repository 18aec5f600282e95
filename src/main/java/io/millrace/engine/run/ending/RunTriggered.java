package io.millrace.engine.run.ending;

import io.millrace.base.bus.BusRequest;
import io.vertx.core.buffer.Buffer;

/**
 * The trigger of a retried run has been executed. Answered with whether its output was stored: false means that another
 * node owns the run now.
 *
 * @param payload output of the trigger
 */
public record RunTriggered(String runId, long fence, Buffer payload) implements BusRequest<Boolean> {}
