/**
 * What follows what in a run: a pure state machine, the only place that decides a run's status.
 *
 * <p>{@code RunMachine.on(plan, state, event)} answers the next state and what must be done outside. Payloads never enter:
 * the machine sees step indices, iteration numbers, byte counts and verdicts. It must not know Vert.x, SQL, a clock or
 * chance; it imports the JDK and {@code io.millrace.base.core} only. The actor around it lives in {@code io.millrace.engine.run}.
 *
 * <p>Start reading at {@link io.millrace.engine.run.machine.RunMachine}; the table of all moves is in
 * {@code src/site/markdown/run-machine.md}, and a test compares it with the code.
 */
package io.millrace.engine.run.machine;
