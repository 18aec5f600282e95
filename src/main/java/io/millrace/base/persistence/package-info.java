/**
 * The only module that opens connections to the database: transactions, the translation of their failures, and the writer that
 * commits the work of many callers together. Settings and connections are in the package {@code connection}, the schema in
 * {@code migration}, the embedded server in {@code postgres}; {@code row} reads results, {@code statement} makes parameters.
 *
 * <p>Must not know any table: statements live in the stores of the modules. Start reading at
 * {@link io.millrace.base.persistence.Database}. Conventions for stores (values, JSON, timestamps) are described at
 * {@link io.millrace.base.persistence.Tx}; rows are read by a
 * {@link io.millrace.base.persistence.row.RowMapper}.
 */
package io.millrace.base.persistence;
