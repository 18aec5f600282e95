/**
 * Values of cells: the types of fields, and filters on cells. Pure.
 *
 * <p>Values are texts; {@code ComparableValue} says what one is as a number or an instant. Start reading at {@link
 * io.millrace.authoring.table.cell.RecordFilter}.
 */
package io.millrace.authoring.table.cell;
