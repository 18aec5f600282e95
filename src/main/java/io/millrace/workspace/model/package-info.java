/**
 * The models of AI providers (contract agents 4): resolution of a selector to a model, and the wire formats of requests. The
 * module below stores the providers; modules above use the responses.
 *
 * <p>Start reading at {@link io.millrace.workspace.model.ProviderModels}. Each wire format is one {@code ModelFormat}; {@code
 * ModelEndpoint} maps a provider to its format and address. Servers differ within a format: {@code CompletionCalls} and
 * {@code StreamedBlocks} join the fragments of tool calls in every known dialect, {@code CompletionState} keeps the fields
 * that a provider expects back, {@code ThoughtSplitter} separates thoughts from answers, and {@code RequestVariant} omits the
 * parts that a server rejects.
 */
package io.millrace.workspace.model;
