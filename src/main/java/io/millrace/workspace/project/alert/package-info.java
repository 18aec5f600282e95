/**
 * Who is mailed of a project's failed runs (contract admin-api 24). What is mailed, and when, is a matter of {@code
 * integration.alert}.
 *
 * <p>A new project may name its first receiver, and a personal one has its owner: the package of projects below asks for that through {@link
 * io.millrace.workspace.project.AlertReceivers}, in the transaction that makes the project. A statement reads {@code
 * project}, {@code platform_user} and {@code user_identity}, to tell the owner of a personal project. Start reading at
 * {@link io.millrace.workspace.project.alert.Alerts}.
 */
package io.millrace.workspace.project.alert;
