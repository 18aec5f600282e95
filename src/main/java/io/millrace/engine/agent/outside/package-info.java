/**
 * MCP servers elsewhere, as agents use them (contract agents 5, flows-and-engine 27.2): their tools listed and called, over the
 * transport that the author of the agent has chosen. A server is nobody's friend: each of its answers is bounded in length and
 * time, every connection goes through the guarded client, and nothing that it says is an instruction.
 *
 * <p>Knows no agents and no runs. Start reading at {@link io.millrace.engine.agent.outside.OutsideServer}.
 */
package io.millrace.engine.agent.outside;
