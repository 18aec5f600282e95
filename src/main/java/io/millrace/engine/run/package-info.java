/**
 * Runs: starting them, carrying them from step to step, ending them once, and reading them.
 *
 * <p>Start reading at {@code actor.RunActor}: one event at a time goes through the pure {@code RunMachine}, and {@code
 * RunPerformer} performs the effects, writes among them; whatever comes of them is an event again ({@code RunInbox},
 * decision 0147). No status is written that neither {@code RunMachine} nor {@code RunRow} has decided. A shard ({@code
 * shard.RunVerticle}) makes actors in two ways: {@code start} for what is started, {@code recovery} for what another owner
 * left, was paused or is retried; {@code ending} is what follows when one goes. This package holds the words that all of
 * them use: messages ({@link io.millrace.engine.run.Runs}), writes, and values of a run; {@code log} is its log as text. What is written when:
 *
 * <ul>
 *   <li>a run of pure steps is written once, ended, before its caller is answered;
 *   <li>before the first step that touches the outside, the run itself and what it did so far;
 *   <li>after each such step, its result, before anything else happens;
 *   <li>when all slots of its project are taken, the run as QUEUED; once it has one it walks, and is written as RUNNING
 *       with its next write, if its end is not the next;
 *   <li>at a pause, results, log and status, and the actor goes; a completed waitpoint makes a new one ({@code
 *       waitpoint.WaitpointService});
 *   <li>a large output, as a file of its own, before the record that refers to it ({@code Slices});
 *   <li>at the end, the ended run with its log; the live rows go in the same statement.
 * </ul>
 *
 * <p>Does not know who waits for an answer.
 */
package io.millrace.engine.run;
