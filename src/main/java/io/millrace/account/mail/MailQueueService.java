package io.millrace.account.mail;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import java.time.InstantSource;

public final class MailQueueService implements BusService {
    private final Database database;
    private final InstantSource clock;
    private final MailStore store = new MailStore();

    public MailQueueService(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(MailQueue.Claim.class, claim -> {
            var now = clock.instant();
            return database.inTransaction(tx -> store.claim(tx, now, now.plus(claim.validity()), claim.limit()));
        });
        bus.serve(
                MailQueue.Sent.class,
                sent -> database.inTransaction(tx -> store.delete(tx, sent.id()))
                        .map(Nothing.DONE));
        bus.serve(
                MailQueue.Postpone.class,
                letter -> database.inTransaction(tx -> store.postpone(tx, letter.id(), letter.again(), letter.reason()))
                        .map(Nothing.DONE));
        bus.serve(
                MailQueue.Forget.class,
                _ -> database.inTransaction(tx -> ExpiryTime.now(tx, clock).compose(now -> store.forget(tx, now))));
    }
}
