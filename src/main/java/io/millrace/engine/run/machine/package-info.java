/**
 * Transitions of a run: a pure state machine, the only place that decides a run's status.
 *
 * <p>{@code RunLifecycle.on(plan, life, event)} returns the new state and the effects outside: the walk through the plan,
 * and its surroundings, which are permit, writes, lease, acceptance and completion ({@code RunLifecycle}). Runs without
 * an actor move by {@code RunRow.on(row, event)}. Payloads never enter: the machine sees step indices, iteration
 * numbers, byte counts and verdicts. It must not know Vert.x, SQL, a clock or chance; it imports the JDK and
 * {@code io.millrace.base.core} only. {@code RunMailbox} feeds it one event at a time; the performer of its effects
 * lives in {@code io.millrace.engine.run}.
 *
 * <p>Start reading at {@code RunLifecycle}; the tables of all moves are in
 * {@code src/site/markdown/run-machine.md}, and tests compare them with the code (decision 0147).
 */
package io.millrace.engine.run.machine;
