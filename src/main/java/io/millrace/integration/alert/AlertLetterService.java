package io.millrace.integration.alert;

import io.millrace.account.mail.MailOutbox;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Writes alert mails about failed flows: one to each receiver of the project, for the first failure of a version in 24 hours.
 * The transaction that writes the mails also marks the failure as reported.
 */
public final class AlertLetterService implements BusService {
    private static final Duration VALIDITY = Duration.ofDays(1);

    private final Database database;
    private final PlatformService platforms;
    private final MailOutbox mail;
    private final InstantSource clock;
    private final FailedFlowStore store = new FailedFlowStore();

    public AlertLetterService(Database database, PlatformService platforms, MailOutbox mail, InstantSource clock) {
        this.database = database;
        this.platforms = platforms;
        this.mail = mail;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(FailureAlerts.WriteLetters.class, write -> database.inTransaction(tx -> tell(tx, write.limit())));
        bus.serve(
                FailureAlerts.Forget.class,
                _ -> database.inTransaction(tx -> store.forget(tx, clock.instant()))
                        .map(Nothing.DONE));
    }

    private Future<Integer> tell(Tx tx, int limit) {
        return store.take(tx, limit).compose(failures -> {
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
