/**
 * Alerts: mails to subscribed receivers about failed flows (contract admin-api 24). The project module stores the receivers;
 * the database records the first failure of a day with the run's own write. Start reading at
 * {@link io.millrace.integration.alert.AlertLetterService}.
 */
package io.millrace.integration.alert;
