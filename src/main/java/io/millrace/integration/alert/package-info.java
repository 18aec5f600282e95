/**
 * Alerts: who asked for it is mailed that a flow has failed (contract admin-api 24). Receivers are kept by the project module;
 * which failure is the first of a day is noted by the database with the run's own write. Start reading at {@link
 * io.millrace.integration.alert.AlertLetterService}.
 */
package io.millrace.integration.alert;
