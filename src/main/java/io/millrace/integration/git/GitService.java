package io.millrace.integration.git;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.base.net.HostGuard;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@link GitRepos}. Blocking operations run on the threads of {@link GitWork}; no transaction is open meanwhile. */
public final class GitService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(GitService.class);

    private final Vertx vertx;
    private final Database database;
    private final SecretBox box;
    private final HostGuard hosts;
    private final GitSettings settings;
    private final InstantSource clock;
    private final GitWork work;
    private final GitOperations operations;
    private final GitRepoStore store = new GitRepoStore();

    /** @param fences permission to send to a remote, obtained by each operation */
    public GitService(
            Vertx vertx,
            Database database,
            SecretBox box,
            HostGuard hosts,
            GitSettings settings,
            Supplier<Fence> fences,
            InstantSource clock) {
        this.vertx = vertx;
        this.database = database;
        this.box = box;
        this.hosts = hosts;
        this.settings = settings;
        this.clock = clock;
        this.work = new GitWork(vertx, settings.timeout(), fences);
        this.operations = new GitOperations(settings, clock);
    }

    @Override
    public void open(Bus bus) {
        CleanGitEnvironment.install();
        bus.serve(GitRepos.Save.class, this::save);
        bus.serve(
                GitRepos.FindOf.class,
                ask -> find(ask.projectId()).map(found -> found.map(GitRepoStore.RepoWithKey::repo)));
        bus.serve(GitRepos.Delete.class, this::delete);
        bus.serve(GitRepos.ProjectOf.class, this::projectOf);
        bus.serve(GitRepos.Read.class, this::read);
        bus.serve(GitRepos.Commit.class, this::commit);
        vertx.executeBlocking(
                        () -> {
                            operations.clear();
                            return null;
                        },
                        false)
                .onFailure(
                        left -> LOG.warn("cannot delete working folders of an earlier process: {}", left.getMessage()));
    }

    private Future<GitRepo> save(GitRepos.Save ask) {
        var request = ask.request();
        return find(ask.projectId()).compose(earlier -> {
            // A pinned host key stays pinned until the repository configuration is deleted.
            var pinned = earlier.filter(kept -> hostOf(kept.repo().remoteUrl()).equals(hostOf(request.remoteUrl())))
                    .map(GitRepoStore.RepoWithKey::hostKey);
            return remote(ask.projectId(), request, pinned)
                    .compose(remote -> work.run(ask.projectId(), attempt -> operations.check(remote, attempt)))
                    .compose(hostKey -> database.inTransaction(tx -> store.put(tx, kept(ask, hostKey))));
        });
    }

    private GitRepoStore.RepoWithKey kept(GitRepos.Save ask, String hostKey) {
        var request = ask.request();
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var repo = new GitRepo(
                Ids.next(),
                now,
                now,
                ask.projectId(),
                request.remoteUrl(),
                request.branch(),
                request.branchType(),
                request.slug());
        var sealed = box.seal(request.sshPrivateKey().getBytes(StandardCharsets.UTF_8), place(ask.projectId()));
        return new GitRepoStore.RepoWithKey(repo, Buffer.buffer(sealed), hostKey);
    }

    private Future<Optional<GitRepoStore.RepoWithKey>> find(String projectId) {
        return database.read(tx -> store.findOf(tx, projectId));
    }

    private Future<Nothing> delete(GitRepos.Delete ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.id())).map(wasThere -> {
            if (!wasThere) {
                throw ApiException.notFound("git-repo", ask.id());
            }
            return Nothing.DONE;
        });
    }

    private Future<String> projectOf(GitRepos.ProjectOf ask) {
        return database.read(tx -> store.findProject(tx, ask.id()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("git-repo", ask.id())));
    }

    private Future<List<RepositoryFile>> read(GitRepos.Read ask) {
        return remoteOf(ask.projectId())
                .compose(remote -> work.run(ask.projectId(), attempt -> operations.read(remote, attempt)));
    }

    private Future<Nothing> commit(GitRepos.Commit ask) {
        return remoteOf(ask.projectId())
                .compose(remote -> work.run(ask.projectId(), attempt -> operations.commit(remote, ask, attempt)))
                .map(Nothing.DONE);
    }

    private Future<GitOperations.Remote> remoteOf(String projectId) {
        return find(projectId)
                .map(found -> found.orElseThrow(() -> ApiException.of(
                        ErrorCode.ENTITY_NOT_FOUND,
                        Json.object()
                                .put("entityType", "git-repo")
                                .put("message", "the project has no git repository"))))
                .compose(kept -> {
                    var repo = kept.repo();
                    var key =
                            new String(box.open(kept.sealedKey().getBytes(), place(projectId)), StandardCharsets.UTF_8);
                    return remote(
                            projectId,
                            new NewGitRepo(repo.remoteUrl(), repo.branch(), repo.branchType(), key, repo.slug()),
                            Optional.of(kept.hostKey()));
                });
    }

    private Future<GitOperations.Remote> remote(String projectId, NewGitRepo repo, Optional<String> hostKey) {
        return hosts.find(hostOf(repo.remoteUrl()))
                .recover(failure -> Future.failedFuture(
                        failure instanceof OutboundFailure
                                ? ApiException.of(ErrorCode.INVALID_GIT_CREDENTIALS, failure.getMessage())
                                : failure))
                .map(addresses -> new GitOperations.Remote(
                        projectId,
                        repo.remoteUrl(),
                        repo.branch(),
                        repo.slug(),
                        repo.sshPrivateKey(),
                        new SshLink.SshHost(addresses, settings.port(), hostKey)));
    }

    private static String hostOf(String remoteUrl) {
        return remoteUrl.substring(remoteUrl.indexOf('@') + 1, remoteUrl.indexOf(':'));
    }

    private static String place(String projectId) {
        return "git_repo:" + projectId;
    }
}
