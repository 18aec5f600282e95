package io.millrace.integration.git;

import io.millrace.base.core.FolderTree;
import io.millrace.base.core.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;

/** Operations on a remote repository, each in a temporary jail directory. Blocking. */
final class GitOperations {
    /** Attempts after a concurrent push between our fetch and our push. */
    private static final int TRIES_MAX = 3;

    private final GitSettings settings;
    private final InstantSource clock;
    private final Path jails;

    GitOperations(GitSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.jails = settings.directory().resolve(Ids.next());
    }

    /**
     * A remote with its credentials.
     *
     * @param sshPrivateKey never printed
     */
    record Remote(
            String projectId, String url, String branch, String slug, String sshPrivateKey, SshLink.SshHost server) {
        @Override
        public String toString() {
            return "Remote[" + url + ", " + branch + "]";
        }
    }

    /** Checks the access to the remote; returns the host key of its server. */
    String check(Remote remote, Attempt attempt) throws Exception {
        try (var visit = open(remote, attempt)) {
            visit.branch().check();
            return visit.link().hostKey();
        }
    }

    List<RepositoryFile> read(Remote remote, Attempt attempt) throws Exception {
        try (var visit = open(remote, attempt)) {
            return new ProjectFolder(visit.repository(), remote.slug())
                    .read(visit.branch().fetch(), settings.bytesMax());
        }
    }

    /** Has no effect if the files are unchanged. */
    Void commit(Remote remote, GitRepos.Commit request, Attempt attempt) throws Exception {
        try (var visit = open(remote, attempt)) {
            for (var tries = TRIES_MAX; !committed(visit, remote, request, tries == 1); tries--) {
                // The branch has moved meanwhile: the changes are applied again on its tip.
            }
        }
        return null;
    }

    private boolean committed(Visit visit, Remote remote, GitRepos.Commit request, boolean isLast) throws Exception {
        var tip = visit.branch().fetch();
        var tree = new ProjectFolder(visit.repository(), remote.slug()).changed(tip, request.changes());
        if (isUnchanged(visit.repository(), tip, tree)) {
            return true;
        }
        try {
            visit.branch().push(commit(visit.repository(), tip, tree, request), tip);
            return true;
        } catch (GitFailure failure) {
            if (failure.kind() != GitFailure.Kind.OVERTAKEN || isLast) {
                throw failure;
            }
            return false;
        }
    }

    private static boolean isUnchanged(Repository repository, Optional<ObjectId> tip, ObjectId tree)
            throws IOException {
        if (tip.isEmpty()) {
            return false;
        }
        try (var reader = repository.newObjectReader()) {
            return ProjectFolder.treeOf(reader, tip.get()).equals(tree);
        }
    }

    private ObjectId commit(Repository repository, Optional<ObjectId> tip, ObjectId tree, GitRepos.Commit request)
            throws IOException {
        var author =
                new PersonIdent(request.author().name(), request.author().email(), clock.instant(), ZoneOffset.UTC);
        var commit = new CommitBuilder();
        commit.setTreeId(tree);
        tip.ifPresent(commit::setParentId);
        commit.setAuthor(author);
        commit.setCommitter(author);
        commit.setMessage(request.message());
        try (var inserter = repository.newObjectInserter()) {
            var id = inserter.insert(commit);
            inserter.flush();
            return id;
        }
    }

    private record Visit(Path jail, BoundedRepository repository, SshLink link, RemoteBranch branch)
            implements AutoCloseable {
        @Override
        public void close() {
            link.close();
            repository.close();
            FolderTree.discard(jail);
        }
    }

    private Visit open(Remote remote, Attempt attempt) throws Exception {
        var identity = SshIdentity.read(remote.sshPrivateKey());
        var jail = Files.createDirectories(jails.resolve(remote.projectId())).resolve(Ids.next());
        var repository = BoundedRepository.create(jail, settings.bytesMax());
        var allowance = new ByteQuota(settings.bytesMax());
        var link = new SshLink(remote.server(), identity, settings.timeout(), allowance, attempt);
        var visit = new Visit(
                jail,
                repository,
                link,
                new RemoteBranch(
                        repository, remote.url(), remote.branch(), link, allowance, settings.bytesMax(), attempt));
        try {
            attempt.watch(link);
            link.open();
            return visit;
        } catch (Exception failure) {
            visit.close();
            throw failure;
        }
    }

    /** Removes what earlier processes left. */
    void clear() throws IOException {
        if (!Files.isDirectory(settings.directory())) {
            return;
        }
        try (var folders = Files.list(settings.directory())) {
            folders.filter(folder -> !folder.equals(jails)).forEach(FolderTree::discard);
        }
    }
}
