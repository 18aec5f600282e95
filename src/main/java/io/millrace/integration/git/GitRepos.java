package io.millrace.integration.git;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
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
    record Save(String projectId, NewGitRepo wish) implements GitRepos, BusRequest<GitRepo> {}

    /** The repository of a project. */
    record FindOf(String projectId) implements GitRepos, BusRequest<Optional<GitRepo>> {}

    /** Forgets a repository; the remote stays as it is. */
    record Delete(String id) implements GitRepos, BusRequest<Nothing> {}

    /** The project of a repository; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements GitRepos, BusRequest<String> {}

    /** The files of a project's folder at the tip of its branch; fails with ENTITY_NOT_FOUND when it has no repository. */
    record Read(String projectId) implements GitRepos, BusRequest<List<RepositoryFile>> {}

    /**
     * Commits changes and pushes them; nothing is committed when they change nothing. Fails with ENTITY_NOT_FOUND when the
     * project has no repository.
     */
    record Commit(String projectId, Author author, String message, List<FileChange> changes)
            implements GitRepos, BusRequest<Nothing> {
        public Commit {
            changes = List.copyOf(changes);
        }
    }
}
