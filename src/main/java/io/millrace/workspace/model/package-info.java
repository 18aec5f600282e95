/**
 * The models of AI providers (contract agents 4): resolution of a selector to a model, and requests to its server. The module
 * {@code workspace.aiprovider} stores the providers; modules above use the responses. Wire formats belong to
 * {@code workspace.model.format}.
 *
 * <p>Start reading at {@link io.millrace.workspace.model.ProviderModels}. {@code ModelEndpoint} maps a provider to its format and
 * address, and {@code RequestVariant} omits the parts of a request that a server rejects.
 */
package io.millrace.workspace.model;
