/**
 * Tables of a project (contract flows-and-engine 22): fields, records, filters, and who hears of their changes.
 *
 * <p>{@code TableService} keeps tables and the webhooks that listen to them, {@code FieldService} their fields, {@code
 * RecordService} their records; start reading at {@link io.millrace.table.Tables}. Values are texts; {@code Worth} says what
 * one is as a number or an instant. A record and what is to be told of it are written in one transaction: flows whose
 * trigger listens get their runs there ({@link io.millrace.table.RecordListeners}, plugged in from above), webhooks a row
 * that {@code RecordCourier} carries to them. The stores read the table of projects beside the room's own.
 */
package io.millrace.table;
