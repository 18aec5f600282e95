/**
 * New runs: a payload passes the trigger of its flow, and each item becomes a run.
 *
 * <p>Start reading at {@link io.millrace.engine.run.start.RunStarter}. A repeatable start carries a key:
 * {@code KeyedRuns} writes its run together with the key before it begins, and answers a repeated start with the result
 * of the first. {@code RunStarts} starts runs on request of a user, {@code RunIngest} those without a waiting caller,
 * and {@code RunIngestService} those with a deduplication key in their item.
 */
package io.millrace.engine.run.start;
