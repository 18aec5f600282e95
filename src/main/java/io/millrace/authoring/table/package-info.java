/**
 * Tables of a project (contract flows-and-engine 22): fields, records, export.
 *
 * <p>{@code TableService} manages tables and their webhooks, {@code FieldService} their fields, {@code RecordService}
 * their records; start reading at {@link io.millrace.authoring.table.Tables}. Cell values and filters are in
 * {@code cell}, below. A record and its events ({@code event}) are written in one transaction, which also creates the
 * runs of subscribed flows ({@link io.millrace.authoring.table.event.RecordListeners}), and a row for each webhook. The
 * stores also read the table of projects.
 */
package io.millrace.authoring.table;
