/**
 * One run: its inbox, the machine, and the performer of its effects (decision 0147).
 *
 * <p>Start reading at {@link io.millrace.engine.run.actor.RunActor}. {@code RunPerformer} executes the effects that the
 * machine requests, and every result returns to the inbox as an event. {@code RunRegistry} knows the actors of a shard.
 * Transitions are decided in the machine, not here.
 */
package io.millrace.engine.run.actor;
