/**
 * What is pushed to a project's git repository (contract admin-api 10.2), and what a deletion takes out of it again.
 *
 * <p>A push reads the state of the project as a release does and writes it as files of the repository, both with the
 * means of the package below; the commit itself is git's module's. Start reading at {@link
 * io.millrace.integration.release.push.Pushes}.
 */
package io.millrace.integration.release.push;
