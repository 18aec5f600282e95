/**
 * Serves the web console: one page for every address without another route, and its files, whose names contain hashes. The
 * console reads all data from the public API; this package has no business rules. Its source is in {@code src/main/console},
 * and the build puts the result on the class path.
 *
 * <p>Also serves the pages for guests, forms and chats: a smaller bundle without a session (decision 0140).
 *
 * <p>Start reading at {@link io.millrace.integration.console.ConsoleRoutes}.
 */
package io.millrace.integration.console;
