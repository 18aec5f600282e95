/**
 * The only module that opens connections to the database: the pool, transactions, migrations, and the writer that commits the
 * work of many callers together. The embedded server itself is in the package {@code postgres}.
 *
 * <p>Must not know any table: statements live in the stores of the modules. Start reading at
 * {@link io.millrace.base.persistence.Database}. Conventions for stores (values, JSON, timestamps) are described at
 * {@link io.millrace.base.persistence.Tx}; rows are read by a
 * {@link io.millrace.base.persistence.RowMapper}.
 */
package io.millrace.base.persistence;
