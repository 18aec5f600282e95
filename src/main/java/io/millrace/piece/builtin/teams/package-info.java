/**
 * The bot of Microsoft Teams: sends messages to channels and receives messages from users (contract agents 8.2).
 *
 * <p>Start reading at {@code TeamsBotPiece}. {@code BotFrameworkToken} decides whether a request comes from Microsoft,
 * with the keys that {@code BotFrameworkKeys} fetches; {@code MicrosoftCalls} calls the token endpoint, Graph and the
 * Bot Connector. Every call goes through the guarded client.
 */
package io.millrace.piece.builtin.teams;
