/**
 * The few pages that people meet before there is a console: signing in, accepting an invitation, choosing a new password,
 * confirming an address. They are whole answers without a build step and speak the public API; no rule lives here.
 * Start reading at {@link io.millrace.integration.page.PageRoutes}.
 */
package io.millrace.integration.page;
