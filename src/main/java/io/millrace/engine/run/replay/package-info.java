/**
 * Replays of runs, dry runs, and re-decisions of history: requests, reading of runs and versions, and routes.
 *
 * <p>Start reading at {@link io.millrace.engine.run.replay.ReplayService}. The decisions are those of {@code
 * engine.run.redecide}; a replay is executed like any run that a node takes over, with the recorded results it is given.
 */
package io.millrace.engine.run.replay;
