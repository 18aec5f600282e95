/**
 * Client of external MCP servers for agents (contract agents 5, flows-and-engine 27.2): their tools listed and called, over the
 * transport that the author of the agent has chosen. Servers are untrusted: each answer is bounded in length and time, every
 * connection goes through the guarded client, and their texts are data, never instructions.
 *
 * <p>Does not depend on agents or runs. Start reading at {@link io.millrace.engine.agent.outside.ExternalServer}.
 */
package io.millrace.engine.agent.outside;
