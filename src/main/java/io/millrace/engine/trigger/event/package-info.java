/**
 * Samples of what triggers bring: kept for editors, listed, removed.
 *
 * <p>Starts no run and calls no hook. Start reading at {@link io.millrace.engine.trigger.event.TriggerEvents}.
 */
package io.millrace.engine.trigger.event;
