/**
 * Delivery of record changes to flows ({@link io.millrace.authoring.table.event.RecordListeners}, implemented by a
 * higher module) and to webhooks, whose rows {@code RecordEventWorker} delivers.
 *
 * <p>Refers to records by id; events are written in the transaction of the change. Start reading at
 * {@link io.millrace.authoring.table.event.RecordEvent}.
 */
package io.millrace.authoring.table.event;
