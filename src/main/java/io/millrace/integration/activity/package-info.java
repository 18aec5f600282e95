/**
 * Events of a project as a stream: runs, failures and publications, in the order of their transactions, at least once.
 *
 * <p>Database triggers record events in {@code project_event} while a project has listeners, and some minutes longer; without
 * any listener of the server they are disabled. A position in the stream is a transaction, so that a listener continues after
 * a restart, or at another node. Start reading at {@link io.millrace.integration.activity.ProjectEventRoutes};
 * {@code ListenerHub} reads new events once for all listeners of an event loop.
 */
package io.millrace.integration.activity;
