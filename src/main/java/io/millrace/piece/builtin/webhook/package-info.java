/**
 * What flows say to those who call them: webhooks, forms, chats, MCP clients, approvals.
 *
 * <p>Start reading at {@code WebhookPiece}.
 */
package io.millrace.piece.builtin.webhook;
