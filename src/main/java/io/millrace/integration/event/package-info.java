/**
 * Event destinations: external receivers of application events, and the delivery to them (contract admin-api 21, 23).
 *
 * <p>{@link io.millrace.integration.event.DestinationOutbox} writes a delivery for each destination in the transaction that
 * records an event. Run events are not in the audit log, whose hash chain would serialize runs; database triggers record them
 * with the run's own write, and only if a destination subscribes to them.
 * {@link io.millrace.integration.event.EventDeliveryWorker} sends deliveries, with retries until they are accepted or
 * abandoned. Start reading at {@link io.millrace.integration.event.EventDestinations}.
 */
package io.millrace.integration.event;
