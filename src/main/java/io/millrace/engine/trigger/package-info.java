/**
 * Triggers start flows. This package enables and disables a flow's trigger, stores the listening sources
 * ({@code trigger_source}), fires schedules and polls when they are due, and tests triggers for editors (contract
 * flows-and-engine 18).
 *
 * <p>Start reading at {@link io.millrace.engine.trigger.TriggerHooks}, which calls a piece's hooks for all modules, including
 * the run module. {@code TriggerService} implements {@code TriggerSwitch} of the flow module; {@code TriggerVerticle} wakes
 * when a source is due and {@code TriggerRound} processes it. {@code schedule} computes due times and is pure;
 * {@code ClockCorrection} handles a clock that was set back; {@code event} stores samples.
 *
 * <p>Runs are started through {@code RunIntake}, which the run module above implements. A round shares its transaction with
 * {@code StoreService}, so that the state of a poll is saved with the runs it starts. The store reads the tables of flows and
 * projects below, and {@code node}, which holds the leases of live nodes.
 */
package io.millrace.engine.trigger;
