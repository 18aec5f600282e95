/**
 * Reading of rows: a mapper makes records of all columns of a result, {@code Rows} reads single columns.
 *
 * <p>Knows neither connections nor statements' parameters. Start reading at
 * {@link io.millrace.base.persistence.row.RowMapper}.
 */
package io.millrace.base.persistence.row;
