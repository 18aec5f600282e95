/**
 * New runs: what was sent goes through the trigger of its flow, and each item becomes a run.
 *
 * <p>Start reading at {@link io.millrace.engine.run.start.RunStarter}. A start that may be repeated carries a key:
 * {@code KeyedRuns} writes its run together with the key before it begins, and tells a repeated start what came of
 * the first. {@code RunStarts} starts what somebody asks for by hand, {@code RunIngest} what comes while nobody
 * waits, and what is told from others by a key of its item ({@code RunIngestService}).
 */
package io.millrace.engine.run.start;
