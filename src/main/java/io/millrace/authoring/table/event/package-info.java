/**
 * Who hears of changes of records: flows ({@link io.millrace.authoring.table.event.RecordListeners}, plugged in from above)
 * and webhooks, whose rows {@code RecordEventWorker} carries to them.
 *
 * <p>Knows a record by its ids only; what happened is written in the transaction of the change. Start reading at {@link
 * io.millrace.authoring.table.event.RecordEvent}.
 */
package io.millrace.authoring.table.event;
