/**
 * Wire formats of models: requests, responses and streams of each vendor's API, and the deviations of servers within a format.
 * Pure: addresses, credentials and retries belong to {@code workspace.model}.
 *
 * <p>Start reading at {@link io.millrace.workspace.model.format.ModelFormat}. {@code CompletionCalls} and {@code StreamedBlocks}
 * join the fragments of tool calls in every known dialect, {@code CompletionState} keeps the fields that a provider expects back,
 * and {@code ThoughtSplitter} separates thoughts from answers.
 */
package io.millrace.workspace.model.format;
