/**
 * Runs: starting them, carrying them from step to step, ending them once, and reading them.
 *
 * <p>Start reading at {@link io.millrace.run.RunActor}: one event at a time goes through the pure {@code RunMachine},
 * its transition is saved where it says so, then its effects are performed. What is written when:
 *
 * <ul>
 *   <li>a run of pure steps is written once, ended, before its caller is answered;
 *   <li>before the first step that touches the outside, the run itself and what it did so far;
 *   <li>after each such step, its result, before anything else happens;
 *   <li>at the end, the ended run with its log; the live rows go in the same statement.
 * </ul>
 *
 * <p>Knows flows only to compile them; does not know who waits for an answer.
 */
package io.millrace.run;
