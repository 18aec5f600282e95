/**
 * Web tools of agents: searches and pages, by the services that an administrator has configured (contract agents 4.5), and
 * pages that are fetched by the guarded client. A service's key never leaves this package, and private addresses are blocked.
 *
 * <p>Start reading at {@link io.millrace.workspace.web.WebTools}.
 */
package io.millrace.workspace.web;
