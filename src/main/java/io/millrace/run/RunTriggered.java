package io.millrace.run;

import io.millrace.bus.Request;
import io.vertx.core.buffer.Buffer;

/**
 * The trigger of a retried run has been executed. Answered with whether that could be kept: false means that another
 * node owns the run now.
 *
 * @param payload what the trigger made of the payload
 */
record RunTriggered(String runId, long fence, Buffer payload) implements Request<Boolean> {}
