/**
 * Recorded data of an executing run: records of steps, large outputs, the response, and notices to subscribers.
 *
 * <p>Start reading at {@link io.millrace.engine.run.journal.RunJournal}. {@code RunCommits} writes it to the database,
 * {@code RunSlices} stores outputs too large for a log as files, {@code RunMemory} bounds the memory of all live runs,
 * {@code RunReporter} notifies subscribers through {@code RunProgressHub}.
 */
package io.millrace.engine.run.journal;
