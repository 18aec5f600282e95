/**
 * Runs of agents (contract agents 2, 3.3, 5): a conversation with a model that calls tools, turn by turn, on the server. The
 * state machine below ({@code engine.agent.machine}) decides each transition; this package performs the effects. Each
 * transition is recorded before its effects begin, so that a crash repeats at most the one model request or tool call that was
 * in flight.
 *
 * <p>{@code AgentVerticle} claims runs, one {@code AgentActor} each; {@code AgentStarts} authorizes starts;
 * {@code ModelTurns} sends requests to the model, {@code AgentToolbox} lists its tools and {@code AgentCalls} calls them. Rows
 * are stored by {@code AgentRunService}. Start reading at {@link io.millrace.engine.agent.AgentVerticle}.
 */
package io.millrace.engine.agent;
