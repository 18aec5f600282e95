/**
 * Tables of a project (contract flows-and-engine 22): fields, records, export.
 *
 * <p>{@code TableService} keeps tables and the webhooks that listen to them, {@code FieldService} their fields, {@code
 * RecordService} their records; start reading at {@link io.millrace.authoring.table.Tables}. Values of cells and filters on
 * them stand in {@code cell}, below. A record and what is to be told of it ({@code event}) are written in one transaction:
 * flows whose trigger listens get their runs there ({@link io.millrace.authoring.table.event.RecordListeners}), webhooks a row.
 * The stores read the table of projects beside the module's own.
 */
package io.millrace.authoring.table;
