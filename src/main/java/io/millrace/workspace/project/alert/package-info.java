/**
 * Receivers of mail about a project's failed runs (contract admin-api 24). Content and time of the mails belong to {@code
 * integration.alert}.
 *
 * <p>A new project may name its first receiver, and a personal one has its owner: the package of projects below adds them
 * through {@link io.millrace.workspace.project.AlertReceivers}, in the transaction that creates the project. A statement
 * reads {@code project}, {@code platform_user} and {@code user_identity} to find the owner of a personal project. Start
 * reading at {@link io.millrace.workspace.project.alert.Alerts}.
 */
package io.millrace.workspace.project.alert;
