/**
 * Re-decider: walks a flow version with the recorded results of a run in place of outside effects, and reports the
 * first difference.
 *
 * <p>Start reading at {@link io.millrace.engine.run.redecide.Redecider}. {@code RedecisionWalk} performs the effects of
 * the same {@code RunMachine} that executes runs: expressions, routers, loops and pure steps are evaluated, and every
 * other step takes its recorded result. Pure: no input or output, no clock, no store. It implements replay, dry run and
 * re-decision of history (decision 0447); reading runs and versions is the task of {@code replay}.
 */
package io.millrace.engine.run.redecide;
