/**
 * Statements of runs, and the commits that many runs share.
 *
 * <p>Start reading at {@link io.millrace.engine.run.store.RunService}: writes of many runs travel in one statement
 * ({@code RunStore}). {@code RunOwnership} says whose runs are whose, {@code RunQueryStore} finds runs, {@code
 * RunArchiveStore} hides them. Knows no actor.
 */
package io.millrace.engine.run.store;
