/**
 * The database is unavailable, silent, slow or late, or is restored to an earlier moment.
 *
 * <p>Start reading at {@link io.millrace.fault.database.DatabaseFaultIT}.
 */
package io.millrace.fault.database;
