package io.millrace.integration.release.push;

import io.millrace.account.identity.user.Users;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Database;
import io.millrace.integration.git.Author;
import io.millrace.integration.git.GitBranchType;
import io.millrace.integration.git.GitRepos;
import io.millrace.integration.release.GitRemovalOutbox;
import io.millrace.integration.release.GitRemovalOutbox.GitRemoval;
import io.millrace.integration.release.ReleaseParts;
import io.millrace.integration.release.StateFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes deleted flows and tables from the development branches of their projects. A removal is recorded with the deletion and
 * retried with increasing backoff for seven days. It is at least once: a commit that changes no file has no effect.
 */
final class GitRemovals {
    private static final Logger LOG = LoggerFactory.getLogger(GitRemovals.class);

    private static final long DEADLINE_MS = 10_000;
    private static final long LOOK_EVERY_MS = 10_000;
    private static final int UNDER_WAY_MAX = 4;
    private static final Duration CLAIM_MARGIN = Duration.ofMinutes(1);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    /** Author of a commit when the user who deleted the item does not exist. */
    private static final Author SERVER = new Author("Millrace", "");

    private final Vertx vertx;
    private final Bus bus;
    private final Database database;
    private final long gitDeadlineMs;
    private final GitRemovalOutbox store = new GitRemovalOutbox();

    /** Removals in progress in this process, those being claimed included; used on one event loop only. */
    private int underWay;

    GitRemovals(ReleaseParts parts) {
        this.vertx = parts.vertx();
        this.bus = parts.bus();
        this.database = parts.database();
        this.gitDeadlineMs = parts.timing().gitDeadlineMs();
    }

    /** Looks for due removals periodically, also for those of dead processes. */
    void watch() {
        vertx.setPeriodic(LOOK_EVERY_MS, _ -> look());
    }

    /** Claims due removals up to the free capacity. */
    void look() {
        var free = UNDER_WAY_MAX - underWay;
        if (free == 0) {
            return;
        }
        underWay += free;
        var claim = CLAIM_MARGIN.plusMillis(gitDeadlineMs);
        database.inTransaction(tx -> store.claim(tx, claim, free)).onComplete((claimed, failure) -> {
            underWay -= free;
            if (failure == null) {
                claimed.forEach(this::work);
            } else {
                LOG.warn("cannot read removals from git repositories, retrying: {}", failure.getMessage());
            }
        });
    }

    private void work(GitRemoval removal) {
        underWay++;
        removed(removal)
                .transform(removed -> removed.succeeded()
                        ? database.recordingEffect(tx -> store.delete(tx, removal))
                        : failed(removal, removed.cause()))
                .onFailure(cause -> LOG.warn(
                        "cannot record the result of removal {} from a git repository, retrying: {}",
                        removal.id(),
                        cause.getMessage()))
                .onComplete(done -> {
                    underWay--;
                    if (done.succeeded()) {
                        look();
                    }
                });
    }

    /** An item that exists again keeps its file. */
    private Future<Nothing> removed(GitRemoval removal) {
        return database.read(tx -> store.exists(tx, removal))
                .compose(exists -> exists ? Future.succeededFuture(Nothing.DONE) : removedFromBranch(removal));
    }

    private Future<Nothing> removedFromBranch(GitRemoval removal) {
        return bus.ask(new GitRepos.FindOf(removal.projectId()), DEADLINE_MS)
                .compose(found -> found.filter(repo -> repo.branchType() == GitBranchType.DEVELOPMENT)
                        .map(_ -> author(removal).compose(author -> commit(removal, author)))
                        .orElseGet(() -> Future.succeededFuture(Nothing.DONE)));
    }

    private Future<Author> author(GitRemoval removal) {
        return removal.userId()
                .map(userId -> bus.ask(
                                new Users.Find(
                                        new Principal.SignedInUser(userId, removal.platformId(), PlatformRole.ADMIN),
                                        userId),
                                DEADLINE_MS)
                        .map(user -> new Author(user.firstName() + " " + user.lastName(), user.email()))
                        .recover(failure ->
                                failure instanceof ApiException refused && refused.code() == ErrorCode.ENTITY_NOT_FOUND
                                        ? Future.succeededFuture(SERVER)
                                        : Future.failedFuture(failure)))
                .orElse(Future.succeededFuture(SERVER));
    }

    private Future<Nothing> commit(GitRemoval removal, Author author) {
        var folder = switch (removal.kind()) {
            case FLOW -> StateFiles.FLOWS;
            case TABLE -> StateFiles.TABLES;
        };
        return bus.ask(
                new GitRepos.Commit(
                        removal.projectId(),
                        author,
                        "chore: deleted " + nameOf(removal),
                        StateFiles.removed(folder, List.of(removal.externalId()))),
                gitDeadlineMs);
    }

    private static String nameOf(GitRemoval removal) {
        return switch (removal.kind()) {
                    case FLOW -> "flow ";
                    case TABLE -> "table ";
                }
                + removal.externalId();
    }

    private Future<Void> failed(GitRemoval removal, Throwable cause) {
        LOG.warn(
                "{} was deleted, but cannot be removed from its git repository, attempt {}, {}: {}",
                nameOf(removal),
                removal.attempts(),
                removal.overdue() ? "abandoned" : "retrying",
                cause.getMessage());
        return database.recordingEffect(tx -> removal.overdue()
                ? store.delete(tx, removal)
                : store.postpone(tx, removal, pauseAfter(removal.attempts())));
    }

    /** Ten seconds, then four times as long each time. */
    static Duration pauseAfter(int attempts) {
        var pause = FIRST_PAUSE;
        for (var attempt = 1; attempt < attempts && pause.compareTo(LONGEST_PAUSE) < 0; attempt++) {
            pause = pause.multipliedBy(4);
        }
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
}
