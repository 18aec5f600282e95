/**
 * Tables of a project (contract flows-and-engine 22): fields, records, filters, and who hears of their changes.
 *
 * <p>{@code TableService} keeps tables and the webhooks that listen to them, {@code FieldService} their fields, {@code
 * RecordService} their records; start reading at {@link io.millrace.authoring.table.Tables}. Values are texts; {@code ComparableValue} says what
 * one is as a number or an instant. A record and what is to be told of it are written in one transaction: flows whose
 * trigger listens get their runs there ({@link io.millrace.authoring.table.RecordListeners}, plugged in from above), webhooks a row
 * that {@code RecordEventWorker} carries to them. The stores read the table of projects beside the module's own.
 */
package io.millrace.authoring.table;
