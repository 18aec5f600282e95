/**
 * Responses of flows to their callers: webhooks, forms, chats, MCP clients, approvals.
 *
 * <p>Start reading at {@code WebhookPiece}.
 */
package io.millrace.piece.builtin.webhook;
