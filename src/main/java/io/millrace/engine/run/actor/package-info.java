/**
 * One run: its inbox, the machine, and what performs its effects (decision 0147).
 *
 * <p>Start reading at {@link io.millrace.engine.run.actor.RunActor}. {@code RunPerformer} does what the machine
 * wants, and whatever comes of it is an event again; there is no other way back. {@code RunRegistry} knows the
 * actors of a shard. Decides nothing of what follows what.
 */
package io.millrace.engine.run.actor;
