package io.millrace.integration.release;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Function;

/**
 * Compares a project with a wanted state on a worker thread, without a transaction, and writes the difference in one (decision
 * 0042). The transaction holds the project, reads it again and writes only if the project is unchanged since the comparison; it
 * waits only for its own statements. If the project has changed, the comparison is repeated.
 */
final class ProjectUpdate {
    /** Maximum number of comparisons of a project that changes during each. */
    static final int ATTEMPTS_MAX = 5;

    private final Vertx vertx;
    private final Database database;
    private final ReleaseStore store = new ReleaseStore();

    ProjectUpdate(Vertx vertx, Database database) {
        this.vertx = vertx;
        this.database = database;
    }

    /** Reads the state to compare; equal values mean an unchanged project. */
    @FunctionalInterface
    interface Reading<S> {
        Future<S> of(Tx tx, String projectId);
    }

    /** Writes a difference. Part of a transaction: must not wait for anything outside the database. */
    @FunctionalInterface
    interface Writing<S, C, T> {
        Future<T> of(Tx tx, S state, C change);
    }

    /**
     * Compares a project and writes the difference.
     *
     * @param compare runs on a worker thread; its failure is the result, without a write
     */
    <S, C, T> Future<T> apply(String projectId, Reading<S> read, Function<S, C> compare, Writing<S, C, T> write) {
        return attempt(projectId, read, compare, write, 1);
    }

    private <S, C, T> Future<T> attempt(
            String projectId, Reading<S> read, Function<S, C> compare, Writing<S, C, T> write, int attempt) {
        return compared(projectId, read, compare)
                .compose(compared -> database.inTransaction(tx -> written(tx, projectId, read, compared, write)))
                .compose(written -> written.map(Future::succeededFuture)
                        .orElseGet(() -> attempt < ATTEMPTS_MAX
                                ? attempt(projectId, read, compare, write, attempt + 1)
                                : Future.failedFuture(ApiException.of(
                                        ErrorCode.UNAVAILABLE,
                                        "project " + projectId + " was changed during each of " + ATTEMPTS_MAX
                                                + " comparisons; nothing was written, try again"))));
    }

    record Comparison<S, C>(S state, C change) {}

    /** Compares without holding a connection. */
    <S, C> Future<Comparison<S, C>> compared(String projectId, Reading<S> read, Function<S, C> compare) {
        return database.read(tx -> read.of(tx, projectId))
                .compose(state -> vertx.executeBlocking(() -> new Comparison<>(state, compare.apply(state)), false));
    }

    /** Empty if the project has changed since the comparison. */
    private <S, C, T> Future<Optional<T>> written(
            Tx tx, String projectId, Reading<S> read, Comparison<S, C> compared, Writing<S, C, T> write) {
        return store.holdProject(tx, projectId)
                .compose(isThere -> isThere
                        ? read.of(tx, projectId)
                        : Future.failedFuture(ApiException.notFound("project", projectId)))
                .compose(now -> now.equals(compared.state())
                        ? write.of(tx, compared.state(), compared.change()).map(Optional::of)
                        : Future.succeededFuture(Optional.empty()));
    }
}
