/**
 * Saved agents (contract agents 1): names, instructions and tools. Edits change a draft; runs use the published config.
 * The engine executes runs.
 *
 * <p>Start reading at {@link io.millrace.authoring.agent.Agents}. {@code AgentConfigReader} defines the format of
 * configs and tools, for the engine too.
 */
package io.millrace.authoring.agent;
