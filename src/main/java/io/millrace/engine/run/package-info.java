/**
 * Runs: starts, execution from step to step, ends, and queries.
 *
 * <p>Start reading at {@code actor.RunActor}: one event at a time passes through the pure {@code RunMachine}, and {@code
 * RunPerformer} performs the effects, including writes; every result of an effect is an event again ({@code RunInbox},
 * decision 0147). Every written status was decided by {@code RunMachine} or {@code RunRow}. A shard ({@code
 * shard.RunVerticle}) creates actors in two ways: {@code start} for new runs, {@code recovery} for runs of another owner,
 * paused runs and retries; {@code ending} does the work after the end of a run. This package holds the shared types:
 * messages ({@link io.millrace.engine.run.Runs}), writes, and values of a run; {@code log} is its log as text. Writes of a
 * run:
 *
 * <ul>
 *   <li>a run of pure steps is written once, ended, before its caller is answered;
 *   <li>before the first step with external effects, the run itself and its results so far;
 *   <li>after each such step, its result, before the next step;
 *   <li>when all permits of its project are taken, the run as QUEUED; once it has one it executes, and is written as
 *       RUNNING with its next write, if its end is not the next;
 *   <li>at a pause, results, log and status, and the actor is released; a completed waitpoint creates a new one ({@code
 *       waitpoint.WaitpointService});
 *   <li>a large output, as a separate file, before the record that refers to it ({@code Slices});
 *   <li>at the end, the ended run with its log; the live rows are deleted in the same statement.
 * </ul>
 *
 * <p>Independent of the callers that wait for answers.
 */
package io.millrace.engine.run;
