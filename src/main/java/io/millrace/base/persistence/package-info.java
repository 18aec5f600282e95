/**
 * The only module that opens connections to the database: the embedded PostgreSQL server, the pool, transactions,
 * migrations, and the writer that commits the work of many callers together.
 *
 * <p>Must not know any table: statements live in the stores of the modules. Start reading at
 * {@link io.millrace.base.persistence.Database} for the use, and at {@link io.millrace.base.persistence.EmbeddedPostgres} for the
 * server itself. Conventions for stores (values, JSON, timestamps) stand at {@link io.millrace.base.persistence.Tx}.
 */
package io.millrace.base.persistence;
