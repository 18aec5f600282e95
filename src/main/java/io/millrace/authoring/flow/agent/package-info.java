/**
 * Whether the agents that steps of a flow name can be run, which the module of agents above knows.
 *
 * <p>Start reading at {@link io.millrace.authoring.flow.agent.FlowAgents}, which that module implements.
 */
package io.millrace.authoring.flow.agent;
