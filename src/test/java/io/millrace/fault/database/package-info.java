/**
 * The database is away, silent, slow or late, or is brought back as it was at another moment.
 *
 * <p>Start reading at {@link io.millrace.fault.database.DatabaseFaultIT}.
 */
package io.millrace.fault.database;
