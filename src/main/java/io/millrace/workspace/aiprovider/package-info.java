/**
 * Providers of language models, whose keys a platform keeps for the steps of its flows, and the services that agents use
 * as tools (contract admin-api 28).
 *
 * <p>A key is tried before it is kept, sealed from then on, and leaves in one way only: to the code of a piece, with the
 * token that such code is given. Whether there are credits of the server's own is not asked here: there are none. Start
 * reading at {@link io.millrace.workspace.aiprovider.AiProviders}.
 */
package io.millrace.workspace.aiprovider;
