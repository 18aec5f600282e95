/**
 * Webhook intake: from an HTTP request of any kind to a durably accepted run, or to the run's answer. Also the addresses that
 * resume paused runs, the forms and chats that send such requests, and the calls of one flow by another.
 *
 * <p>Start reading at {@link io.millrace.engine.webhook.WebhookRoutes}. A 2xx response is sent only after the event is
 * committed.
 */
package io.millrace.engine.webhook;
