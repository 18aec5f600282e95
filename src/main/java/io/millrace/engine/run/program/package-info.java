/**
 * Straight execution of flow versions whose steps are all pure: a program evaluates the steps and writes the log as bytes,
 * without an actor, a mailbox or a future for a step. Not responsible for failures, pauses, keys, traces, subscribers and
 * limits: such a run starts in the general engine, before anything is written (decision 0433). Only {@code run.start} enters
 * here.
 *
 * <p>Start reading at {@link io.millrace.engine.run.program.PureRuns}.
 */
package io.millrace.engine.run.program;
