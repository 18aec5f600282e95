/**
 * Providers of language models, whose keys a platform stores for the steps of its flows, and the services that agents use as
 * tools (contract admin-api 28).
 *
 * <p>A key is tested before it is stored, and sealed from then on. Only the code of pieces can read it, with the token of
 * such code. Start reading at {@link io.millrace.workspace.aiprovider.AiProviders}.
 */
package io.millrace.workspace.aiprovider;
