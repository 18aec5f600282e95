package io.millrace.engine.run.ending;

import io.millrace.base.bus.BusRequest;
import io.vertx.core.buffer.Buffer;

/**
 * The trigger of a retried run has been executed. Answered with whether that could be kept: false means that another
 * node owns the run now.
 *
 * @param payload what the trigger made of the payload
 */
public record RunTriggered(String runId, long fence, Buffer payload) implements BusRequest<Boolean> {}
