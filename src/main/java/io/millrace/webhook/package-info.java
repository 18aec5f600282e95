/**
 * Webhook intake: from an HTTP request of any kind to a durably accepted run, or to the run's answer.
 *
 * <p>Start reading at {@link io.millrace.webhook.WebhookRoutes}. A 2xx leaves only after the event is committed.
 */
package io.millrace.webhook;
