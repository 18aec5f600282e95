package io.millrace.run;

import io.millrace.bus.Nothing;
import io.millrace.bus.Request;

/**
 * Gives up the ownership of a run that could not be saved, so that whoever sweeps next carries it on.
 *
 * @param fence number of the ownership; a later owner is left alone
 */
record RunRelease(String runId, long fence) implements Request<Nothing> {}
