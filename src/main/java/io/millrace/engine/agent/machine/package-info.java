/**
 * Pure state machine of agent runs, separate from the one of flow runs.
 *
 * <p>{@code AgentMachine.on(limits, state, event)} returns the next state and the effects. Messages, tool inputs and outputs
 * never enter: the machine sees turn numbers, call numbers, token counts and verdicts. It must not depend on Vert.x, SQL, a
 * clock or randomness. The caller saves the new state before it performs the effects, and after a restart performs the effects
 * of {@code AgentMachine.inFlight}, under the same idempotency keys.
 *
 * <p>Start reading at {@link io.millrace.engine.agent.machine.AgentMachine}.
 */
package io.millrace.engine.agent.machine;
