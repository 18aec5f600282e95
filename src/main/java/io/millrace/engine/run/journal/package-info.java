/**
 * What a run leaves behind while it goes: records of steps, large outputs, the response, and what watchers hear.
 *
 * <p>Start reading at {@link io.millrace.engine.run.journal.RunJournal}. {@code RunCommits} makes writes of it,
 * {@code RunSlices} files of what is too large for a log, {@code RunMemory} bounds what all live runs take, {@code
 * RunReporter} tells watchers through {@code RunProgressHub}.
 */
package io.millrace.engine.run.journal;
