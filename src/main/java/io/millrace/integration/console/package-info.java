/**
 * The web console as the browser gets it: one page for every address that no other room answers, and its files, whose
 * names hold hashes. What the console shows it asks of the public API; no rule lives here. Its source is in
 * {@code src/main/console}, and the build leaves the result on the class path.
 *
 * <p>Beside it the pages for guests, forms and chats: a smaller bundle without a session (decision 0140).
 *
 * <p>Start reading at {@link io.millrace.integration.console.ConsoleRoutes}.
 */
package io.millrace.integration.console;
