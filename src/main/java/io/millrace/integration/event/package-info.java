/**
 * Event destinations: who outside is told of application events, and how that is carried out (contract admin-api 21, 23).
 *
 * <p>{@link io.millrace.integration.event.DestinationOutbox} writes a delivery for each destination in the transaction that records an
 * event. What runs do is not in the audit log, whose chain would make them wait for each other; triggers of the database
 * note it with the run's own write, and only where somebody asked. {@link io.millrace.integration.event.EventDeliveryWorker} carries deliveries
 * out, again and again until they are taken or given up. Start reading at {@link io.millrace.integration.event.EventDestinations}.
 */
package io.millrace.integration.event;
