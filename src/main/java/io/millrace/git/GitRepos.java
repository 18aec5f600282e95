package io.millrace.git;

import io.millrace.bus.Nothing;
import io.millrace.bus.Request;
import java.util.List;
import java.util.Optional;

/**
 * What one may ask of git repositories. Answered by {@link GitService}. Whoever asks has passed the gate of the project.
 *
 * <p>What reaches the remote fails with INVALID_GIT_CREDENTIALS when the remote cannot be reached, proves to be another
 * host than before, or refuses; and with VALIDATION when it sends more than this server takes.
 */
public sealed interface GitRepos {
    /** Keeps the repository of a project, in place of the one before, once the remote has let its key in. */
    record Save(String projectId, NewGitRepo wish) implements GitRepos, Request<GitRepo> {}

    /** The repository of a project. */
    record FindOf(String projectId) implements GitRepos, Request<Optional<GitRepo>> {}

    /** Forgets a repository; the remote stays as it is. */
    record Delete(String id) implements GitRepos, Request<Nothing> {}

    /** The project of a repository; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements GitRepos, Request<String> {}

    /** The files of a project's folder at the tip of its branch; fails with ENTITY_NOT_FOUND when it has no repository. */
    record Read(String projectId) implements GitRepos, Request<List<RepositoryFile>> {}

    /**
     * Commits changes and pushes them; nothing is committed when they change nothing. Fails with ENTITY_NOT_FOUND when the
     * project has no repository.
     */
    record Commit(String projectId, Author author, String message, List<FileChange> changes)
            implements GitRepos, Request<Nothing> {
        public Commit {
            changes = List.copyOf(changes);
        }
    }
}
