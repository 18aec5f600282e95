/**
 * Runs: starting them, carrying them from step to step, ending them once, and reading them.
 *
 * <p>Start reading at {@link io.millrace.engine.run.RunActor}: one event at a time goes through the pure {@code RunMachine},
 * and {@code RunPerformer} performs the effects, writes among them; whatever comes of them is an event again ({@code
 * RunInbox}, decision 0147). No status is written that neither {@code RunMachine} nor {@code RunRow} has decided. A shard ({@code RunVerticle}) makes actors
 * in two ways: {@code RunStarter} for what is started, {@code RunTakeover} for what another owner left, was paused or is
 * retried; {@code RunRegistry} knows those that are there, and {@code RunExit} what follows when one goes. What is
 * written when:
 *
 * <ul>
 *   <li>a run of pure steps is written once, ended, before its caller is answered;
 *   <li>before the first step that touches the outside, the run itself and what it did so far;
 *   <li>after each such step, its result, before anything else happens;
 *   <li>when all slots of its project are taken, the run as QUEUED; once it has one it walks, and is written as RUNNING
 *       with its next write, if its end is not the next;
 *   <li>at a pause, results, log and status, and the actor goes; a completed waitpoint makes a new one ({@link
 *       io.millrace.engine.run.WaitpointService});
 *   <li>a large output, as a file of its own, before the record that refers to it ({@code Slices});
 *   <li>at the end, the ended run with its log; the live rows go in the same statement.
 * </ul>
 *
 * <p>What is taken over waits by its id for memory and places ({@code TakeoverReader}, decision 0096). A server that
 * ends is counted against the runs that it had at work, before anybody takes them over; a run that was at work at too
 * many ends is set aside ({@code RunOwnerStore}, {@code TakeoverLimits}, decision 0095). {@code RunLease} keeps the
 * lease of the node, {@code RunSweeper} claims, {@code RunHousekeeping} makes and drops the partitions of history.
 *
 * <p>Around that: {@code RunQueryStore} finds runs, {@link io.millrace.engine.run.RunRetry} brings ended ones back to life,
 * {@link io.millrace.engine.run.RunCancellation} ends live ones from outside, {@link io.millrace.engine.run.RunStarts} starts those
 * that somebody asks for by hand. A step that is tested alone is a run of a flow with nothing else in it ({@code
 * StepTest}).
 *
 * <p>A start that may be repeated carries a key: {@code KeyedRuns} writes its run together with the key before it begins,
 * and tells a repeated start what came of the first ({@link io.millrace.engine.run.StartKeyService}).
 *
 * <p>How many runs of a project execute at once is {@code ConcurrencyLimiter}', which also keeps the limits that a flow's owner
 * wants ({@code FlowShares}, {@code RunPermits}); what is too large for a log is {@code
 * RunSlices}'; how much memory live runs may take is {@code RunMemory}'s; those who watch a run hear of it through
 * {@code RunProgressHub}.
 *
 * <p>Knows flows only to compile them, and their samples only for tests; does not know who waits for an answer.
 */
package io.millrace.engine.run;
