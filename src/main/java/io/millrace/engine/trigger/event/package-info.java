/**
 * Samples of trigger payloads for editors: stored, listed, deleted.
 *
 * <p>Starts no run and calls no hook. Start reading at {@link io.millrace.engine.trigger.event.TriggerEvents}.
 */
package io.millrace.engine.trigger.event;
