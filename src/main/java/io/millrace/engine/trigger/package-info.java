/**
 * Triggers: what makes flows begin. Switches a flow's trigger on and off, keeps what listens ({@code trigger_source}),
 * fires schedules and polls when they are due, and tests triggers for editors (contract flows-and-engine 18).
 *
 * <p>Start reading at {@link io.millrace.engine.trigger.TriggerHooks}, which calls a piece's hooks for everybody, the run module
 * included. {@code TriggerService} is what the flow module calls its {@code TriggerSwitch}; {@code TriggerVerticle} wakes
 * when something is due and {@code TriggerRound} works on it. When that is, {@code schedule} says, and is pure;
 * {@code ClockCorrection} minds a clock that goes back; samples are kept by {@code event}.
 *
 * <p>Runs are started through {@code RunIntake}, which the run module above implements. A round shares its transaction with
 * {@code StoreService}, so that what a poll remembers is saved with the runs it starts. The store reads the tables of
 * flows and projects below, and {@code node}, where live nodes keep their leases.
 */
package io.millrace.engine.trigger;
