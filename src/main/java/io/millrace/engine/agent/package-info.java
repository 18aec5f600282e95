/**
 * Runs of agents (contract agents 2, 3.3, 5): a conversation with a model that calls tools, turn by turn, on the server. What
 * follows what is decided by the machine below ({@code engine.agent.machine}); here it is performed, and everything is recorded
 * before what follows it, so that a crash repeats at most the one question or call that was in flight.
 *
 * <p>{@code AgentVerticle} takes runs up, one {@code AgentActor} each; {@code AgentStarts} decides who may start one;
 * {@code AgentToolbox} says what the model may call and {@code AgentCalls} calls it. Rows are kept by {@code AgentRunService}. Start
 * reading at {@link io.millrace.engine.agent.AgentVerticle}.
 */
package io.millrace.engine.agent;
