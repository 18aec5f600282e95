/**
 * Embedding: another product shows this one to its own users (contract admin-api 13, 14). The product signs a token with a
 * key of the platform, and its user gets a session in a project of that product.
 *
 * <p>{@link io.millrace.workspace.embedding.ManagedSignInService} names services of the modules of projects, pieces and
 * users, because the project, its pieces, the user and the membership are created in one transaction. Start reading at
 * {@link io.millrace.workspace.embedding.ManagedSignIns}.
 */
package io.millrace.workspace.embedding;
