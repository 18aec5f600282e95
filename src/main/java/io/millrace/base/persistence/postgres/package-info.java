/**
 * The embedded PostgreSQL: its files are unpacked, its cluster made, its process started, watched, and ended with the
 * server, also after a crash of either.
 *
 * <p>Everything here may block and is called before or beside the event loops. Sends no statement of a module. Start reading at
 * {@link io.millrace.base.persistence.postgres.EmbeddedPostgres}.
 */
package io.millrace.base.persistence.postgres;
