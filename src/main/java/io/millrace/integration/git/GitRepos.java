package io.millrace.integration.git;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.List;
import java.util.Optional;

/**
 * Messages about git repositories, handled by {@link GitService}. The caller must have authorized access to the project.
 *
 * <p>Messages that access the remote fail with INVALID_GIT_CREDENTIALS when the remote is unreachable, has another host key
 * than before, or refuses; and with VALIDATION when it sends more data than this server accepts.
 */
public sealed interface GitRepos {
    /** Saves the repository of a project, replacing the previous one, after the remote has accepted its key. */
    record Save(String projectId, NewGitRepo request) implements GitRepos, BusRequest<GitRepo> {}

    record FindOf(String projectId) implements GitRepos, BusRequest<Optional<GitRepo>> {}

    /** Removes the configuration of a repository; the remote is unchanged. */
    record Delete(String id) implements GitRepos, BusRequest<Nothing> {}

    /** Finds the project of a repository; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements GitRepos, BusRequest<String> {}

    /** The files of a project's folder at the tip of its branch; fails with ENTITY_NOT_FOUND when it has no repository. */
    record Read(String projectId) implements GitRepos, BusRequest<List<RepositoryFile>> {}

    /**
     * Commits changes and pushes them; has no effect if the files are unchanged. Fails with ENTITY_NOT_FOUND when the project
     * has no repository.
     */
    record Commit(String projectId, Author author, String message, List<FileChange> changes)
            implements GitRepos, BusRequest<Nothing> {
        public Commit {
            changes = List.copyOf(changes);
        }
    }
}
