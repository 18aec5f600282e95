/**
 * The web as agents see it: searches and pages, by the services that an administrator has set up (contract agents 4.5), and
 * pages that are fetched by the guarded client. A service's key never leaves this package, and no private address is reached.
 *
 * <p>Start reading at {@link io.millrace.workspace.web.WebTools}.
 */
package io.millrace.workspace.web;
