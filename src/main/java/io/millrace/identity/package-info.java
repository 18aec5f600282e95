/**
 * People and keys: signing up and in with a password or a mailed code, access tokens, API keys, and the answer to "whose
 * token is this?". However somebody has shown who they are, {@link io.millrace.identity.Reception} lets them in.
 *
 * <p>Statements may join the table of the room below ({@code platform}). {@link io.millrace.identity.Reception}
 * names {@link io.millrace.platform.PlatformService}, because the first account and the platform are born in one
 * transaction. Projects live above: what a new account needs of them is the interface {@link
 * io.millrace.identity.PersonalProjects}. Start reading at {@link io.millrace.identity.SignIns}.
 */
package io.millrace.identity;
