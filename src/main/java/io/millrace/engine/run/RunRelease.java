package io.millrace.engine.run;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/**
 * Gives up the ownership of a run that could not be saved, so that whoever sweeps next carries it on.
 *
 * @param fence number of the ownership; a later owner is left alone
 */
public record RunRelease(String runId, long fence) implements BusRequest<Nothing> {}
