/**
 * What follows what in an agent run: a pure state machine beside the one of flow runs.
 *
 * <p>{@code AgentMachine.on(limits, state, event)} answers the next state and what must be done outside. Messages, tool
 * inputs and outputs never enter: the machine sees turn numbers, call numbers, token counts and verdicts. It must not know
 * Vert.x, SQL, a clock or chance. Whoever drives it saves the new state before it performs the effects, and after a restart
 * performs what {@code AgentMachine.inFlight} names, under the same idempotency keys.
 *
 * <p>Start reading at {@link io.millrace.engine.agent.machine.AgentMachine}.
 */
package io.millrace.engine.agent.machine;
