/**
 * Pushes of a project to its git repository (contract admin-api 10.2), and removals from it after deletions.
 *
 * <p>A push reads the state of the project as a release does and writes it as files of the repository, both with the classes of
 * the package below; the git module makes the commit. Start reading at {@link io.millrace.integration.release.push.Pushes}.
 */
package io.millrace.integration.release.push;
