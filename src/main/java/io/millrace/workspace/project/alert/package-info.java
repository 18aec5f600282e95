/**
 * Addresses that are mailed when the runs of a project fail. Sends nothing itself: {@code integration.alert} does.
 *
 * <p>Start reading at {@link io.millrace.workspace.project.alert.Alerts}.
 */
package io.millrace.workspace.project.alert;
