/**
 * Statements of runs, and the commits that many runs share.
 *
 * <p>Start reading at {@link io.millrace.engine.run.store.RunService}: writes of many runs share one statement
 * ({@code RunStore}, composed of the parts in {@code RunBatch}). {@code RunOwnership} reads and releases owned runs,
 * {@code RunQueryStore} finds runs, {@code StepListService} lists their steps, {@code RunArchiveStore} archives them.
 * Independent of actors.
 */
package io.millrace.engine.run.store;
