package io.millrace.integration.alert;

import io.millrace.account.mail.MailOutbox;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Writes letters about flows that failed: to each receiver of the project one, for the first failure of a version in 24
 * hours. That it was told is noted in the transaction that writes the letters.
 */
public final class AlertWorker extends PollingVerticle {
    private static final long ROUND_MS = 2_000;
    private static final int AT_ONCE_MAX = 20;
    private static final int ROUNDS_UNTIL_FORGETTING = 1_800;
    private static final Duration VALIDITY = Duration.ofDays(1);

    private final Database database;
    private final PlatformService platforms;
    private final MailOutbox mail;
    private final InstantSource clock;
    private final FailedFlowStore store = new FailedFlowStore();

    public AlertWorker(Database database, PlatformService platforms, MailOutbox mail, InstantSource clock) {
        super("alerts cannot be written", ROUND_MS, ROUNDS_UNTIL_FORGETTING);
        this.database = database;
        this.platforms = platforms;
        this.mail = mail;
        this.clock = clock;
    }

    @Override
    protected Future<Void> tidy() {
        return database.inTransaction(tx -> store.forget(tx, clock.instant()));
    }

    @Override
    protected Future<Boolean> round() {
        return database.inTransaction(this::tell).map(count -> count == AT_ONCE_MAX);
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
