package io.millrace.alert;

import io.millrace.mail.MailOutbox;
import io.millrace.persistence.Database;
import io.millrace.persistence.Tx;
import io.millrace.platform.PlatformService;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes letters about flows that failed: to each receiver of the project one, for the first failure of a version in 24
 * hours. That it was told is noted in the transaction that writes the letters.
 */
public final class AlertCourier extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(AlertCourier.class);

    private static final long ROUND_MS = 2_000;
    private static final int AT_ONCE_MAX = 20;
    private static final int ROUNDS_UNTIL_FORGETTING = 1_800;
    private static final Duration VALIDITY = Duration.ofDays(1);

    private final Database database;
    private final PlatformService platforms;
    private final MailOutbox mail;
    private final InstantSource clock;
    private final FailedFlowStore store = new FailedFlowStore();
    private long timer;
    private long rounds;
    private boolean stopped;

    public AlertCourier(Database database, PlatformService platforms, MailOutbox mail, InstantSource clock) {
        this.database = database;
        this.platforms = platforms;
        this.mail = mail;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        rest(ROUND_MS);
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        vertx.cancelTimer(timer);
        return Future.succeededFuture();
    }

    private void rest(long durationMs) {
        if (!stopped) {
            timer = vertx.setTimer(durationMs, _ -> round());
        }
    }

    private void round() {
        var tidied = rounds++ % ROUNDS_UNTIL_FORGETTING == 0
                ? database.inTransaction(tx -> store.forget(tx, clock.instant()))
                : Future.<Void>succeededFuture();
        tidied.compose(_ -> database.inTransaction(this::tell)).onComplete((count, failure) -> {
            if (failure != null) {
                LOG.warn("alerts cannot be written yet: {}", failure.getMessage());
            }
            rest(failure == null && count == AT_ONCE_MAX ? 1 : ROUND_MS);
        });
    }

    private Future<Integer> tell(Tx tx) {
        return store.take(tx, AT_ONCE_MAX).compose(failures -> {
            var done = Future.<Void>succeededFuture();
            for (var failure : failures) {
                done = done.compose(_ -> tell(tx, failure));
            }
            return done.map(failures.size());
        });
    }

    private Future<Void> tell(Tx tx, FailedFlow failure) {
        return platforms.find(tx, failure.platformId()).compose(platform -> {
            var done = Future.<Void>succeededFuture();
            for (var receiver : failure.receivers()) {
                done = done.compose(
                        _ -> mail.add(tx, Optional.of(platform), AlertLetter.of(failure, receiver), VALIDITY));
            }
            return done;
        });
    }
}
