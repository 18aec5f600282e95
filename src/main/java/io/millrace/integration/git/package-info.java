/**
 * Git repositories of projects: which repository a project is kept in, and files read from it and committed to it over
 * SSH (contract admin-api 10). What the files mean is the affair of the module above.
 *
 * <p>Nothing of a repository is ever checked out: commits are made of trees in memory, so that neither symbolic links nor
 * hooks, filters or attributes of a repository have any effect. Objects lie in a jail directory that lives as long as one
 * operation. What a server sends, announces and unpacks to is bounded (decision 0107). Git's own configuration on the host
 * is not read ({@code HostlessSystem}). All of it blocks and runs on threads of the module ({@code GitWork}); addresses are
 * guarded before a connection is opened, keys of servers are pinned with the first contact (decision 0041). Start reading
 * at {@link io.millrace.integration.git.GitRepos}.
 */
package io.millrace.integration.git;
