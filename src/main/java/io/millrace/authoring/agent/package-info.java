/**
 * Agents that people keep (contract agents 1): who they are, what they are told, which tools they have. What an agent is told is
 * edited as a draft; runs use what was published. Runs themselves are the engine's.
 *
 * <p>Start reading at {@link io.millrace.authoring.agent.Agents}. {@code AgentConfigReader} says what a config and a tool look like,
 * for the engine too.
 */
package io.millrace.authoring.agent;
