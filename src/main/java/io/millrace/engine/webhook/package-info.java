/**
 * Webhook intake: from an HTTP request of any kind to a durably accepted run, or to the run's answer. Also the
 * addresses that resume paused runs, the forms and chats that people send such requests with, and the calls of one flow
 * by another.
 *
 * <p>Start reading at {@link io.millrace.engine.webhook.WebhookRoutes}. A 2xx leaves only after the event is committed.
 */
package io.millrace.engine.webhook;
