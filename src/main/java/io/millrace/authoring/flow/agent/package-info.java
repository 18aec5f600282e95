/**
 * Check of the agents that steps of a flow refer to, with a lookup implemented by the agents module above.
 *
 * <p>Start reading at {@link io.millrace.authoring.flow.agent.FlowAgents}, which that module implements.
 */
package io.millrace.authoring.flow.agent;
