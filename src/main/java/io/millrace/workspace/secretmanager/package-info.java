/**
 * Secret managers: systems outside that keep the secrets which connections only refer to (contract admin-api 26).
 *
 * <p>What logs the server in there is tried before it is kept, and sealed from then on. A secret is fetched when a connection
 * is used, is kept in memory for an hour at most, and is neither stored nor shown nor logged. Only the module of connections
 * asks for secrets. Start reading at {@link io.millrace.workspace.secretmanager.SecretManagers}.
 */
package io.millrace.workspace.secretmanager;
