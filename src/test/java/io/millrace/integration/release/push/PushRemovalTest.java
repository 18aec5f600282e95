package io.millrace.integration.release.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.table.Table;
import io.millrace.authoring.table.Tables;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.integration.git.GitRepo;
import io.millrace.integration.git.GitRepos;
import io.millrace.integration.release.ReleaseParts;
import io.millrace.support.RecordedLog;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Removal of a deleted table from the git repository of its project, while the database is unavailable. */
class PushRemovalTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final AtomicInteger asked = new AtomicInteger();
    private final RecordedLog log = RecordedLog.of("io.millrace.integration.release.push");

    @AfterEach
    void close() {
        log.close();
        Waiting.await(vertx.close());
    }

    private void open(Supplier<Future<Optional<GitRepo>>> repository) {
        var parts = new ReleaseParts(
                vertx,
                bus,
                null,
                new ReleaseParts.States(null, null, null, null),
                null,
                null,
                null,
                new ReleaseParts.Timing(1_000, Duration.ZERO, true, InstantSource.system()));
        new PushService(parts).open(bus);
        bus.serve(GitRepos.FindOf.class, _ -> {
            asked.incrementAndGet();
            return repository.get();
        });
    }

    private void deleteTable() {
        var by = new Principal.SignedInUser("ada", "platform", PlatformRole.ADMIN);
        var table = new Table("table", NOW, NOW, "Orders", null, "project", "orders", null, null);
        bus.publish(new Tables.Deleted(by, table));
    }

    private static <T> Future<T> failure(ErrorCode code) {
        return Future.failedFuture(ApiException.of(code, "refused by the test"));
    }

    @Test
    void isRepeated_untilTheDatabaseIsBack() {
        open(() -> asked.get() < 4 ? failure(ErrorCode.UNAVAILABLE) : Future.succeededFuture(Optional.empty()));

        deleteTable();

        Waiting.until("the repository was found", () -> asked.get() == 4);
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void isReported_whenItFailsForAnotherReason() {
        open(() -> failure(ErrorCode.INVALID_GIT_CREDENTIALS));

        deleteTable();

        Waiting.until("a log line", () -> !log.lines().isEmpty());
        assertThat(asked).hasValue(1);
        assertThat(log.lines().getFirst()).contains("orders", "cannot be removed from its git repository");
    }
}
