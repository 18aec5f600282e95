/**
 * Secret managers: external systems that store the secrets to which connections refer (contract admin-api 26).
 *
 * <p>The server's credentials are tested before they are stored, and sealed from then on. A secret is fetched when a
 * connection is used, is cached in memory for an hour at most, and is neither stored nor shown nor logged. Only the module of
 * connections requests secrets. Start reading at {@link io.millrace.workspace.secretmanager.SecretManagers}.
 */
package io.millrace.workspace.secretmanager;
