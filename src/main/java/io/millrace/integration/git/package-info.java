/**
 * Git repositories of projects: the configured repository of a project, and reads and commits of its files over SSH (contract
 * admin-api 10). The release module interprets the files.
 *
 * <p>Repositories are never checked out: commits are made of trees in memory, so that symbolic links, hooks, filters and
 * attributes of a repository have no effect. Objects are stored in a jail directory that exists for one operation. The data
 * that a server sends, announces and expands to is bounded (decision 0041). Git's own configuration on the host is not read
 * ({@code CleanGitEnvironment}). Operations block and run on threads of the module ({@code GitWork}); addresses are checked before a
 * connection is opened, host keys are pinned at the first connection (decision 0041). Start reading at
 * {@link io.millrace.integration.git.GitRepos}.
 */
package io.millrace.integration.git;
