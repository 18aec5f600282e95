/**
 * The embedded PostgreSQL: unpacks its files, creates its cluster, and starts, supervises and stops its process, also after a
 * crash of it or of the server.
 *
 * <p>Every call may block; call it before the event loops start or on other threads. Sends no statement of a module. Start
 * reading at {@link io.millrace.base.persistence.postgres.EmbeddedPostgres}.
 */
package io.millrace.base.persistence.postgres;
