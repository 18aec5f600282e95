/**
 * The models of AI providers (contract agents 4): which one a selector means, and the wire formats in which they are asked. The
 * providers themselves are kept by the module below; what an answer is used for is known above.
 *
 * <p>Start reading at {@link io.millrace.workspace.model.ProviderModels}. One {@code ModelFormat} stands for each wire format;
 * {@code ModelEndpoint} says which provider speaks which, and where. Servers differ within a format: {@code CompletionCalls} and {@code StreamedBlocks} join the
 * pieces of tool calls in every known dialect, {@code CompletionState} keeps what a provider wants back, {@code ThoughtSplitter} separates
 * thoughts from answers, and {@code RequestVariant} leaves out what a server refuses.
 */
package io.millrace.workspace.model;
