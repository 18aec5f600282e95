package io.millrace.engine.run;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/**
 * Releases the ownership of a run that could not be saved, so that the next sweep of any node takes it over.
 *
 * @param fence number of the ownership; the request has no effect on a later owner
 */
public record RunRelease(String runId, long fence) implements BusRequest<Nothing> {}
