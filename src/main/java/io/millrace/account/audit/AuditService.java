package io.millrace.account.audit;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles {@link AuditEvents}, and deletes events past their retention (contract admin-api 22). */
public final class AuditService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(AuditService.class);

    private static final long ROUND_MS = Duration.ofHours(1).toMillis();
    private static final int LINKS_AT_ONCE = 500;

    private final Database database;
    private final Duration retention;
    private final InstantSource clock;
    private final AuditStore store = new AuditStore();

    public AuditService(Database database, Duration retention, InstantSource clock) {
        this.database = database;
        this.retention = retention;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(AuditEvents.Find.class, this::find);
        bus.serve(AuditEvents.Verify.class, this::verify);
        forgetOld();
    }

    private void forgetOld() {
        database.inTransaction(tx -> ExpiryTime.now(tx, clock).compose(now -> store.forget(tx, now.minus(retention))))
                .onFailure(cause -> LOG.warn("cannot remove expired audit events, retrying: {}", cause.getMessage()))
                .onComplete(_ -> Vertx.currentContext().owner().setTimer(ROUND_MS, _ -> forgetOld()));
    }

    private Future<Page<AuditEvent>> find(AuditEvents.Find find) {
        return database.read(tx -> store.page(tx, find));
    }

    private Future<AuditEvents.Verdict> verify(AuditEvents.Verify ask) {
        var platformId = ask.by().platform();
        return database.read(tx -> store.findEnds(tx, platformId))
                .compose(found -> found.map(ends -> proved(platformId, ends, ends.forgotten()))
                        .orElseGet(() -> Future.succeededFuture(new AuditEvents.Verdict(0, true))));
    }

    /** Events added meanwhile are not included. */
    private Future<AuditEvents.Verdict> proved(String platformId, AuditStore.Ends ends, AuditChain known) {
        return database.read(tx -> store.findLinks(tx, platformId, known.length(), LINKS_AT_ONCE))
                .compose(links -> {
                    var proved = known;
                    for (var link : links.stream()
                            .filter(link -> link.sequence() <= ends.last().length())
                            .toList()) {
                        var next = proved.with(link.body());
                        if (!next.equals(new AuditChain(link.sequence(), link.hash()))) {
                            return verdict(ends, proved, false);
                        }
                        proved = next;
                    }
                    return proved.length() == known.length()
                                    || proved.length() == ends.last().length()
                            ? verdict(ends, proved, proved.equals(ends.last()))
                            : proved(platformId, ends, proved);
                });
    }

    private static Future<AuditEvents.Verdict> verdict(AuditStore.Ends ends, AuditChain proved, boolean isIntact) {
        return Future.succeededFuture(
                new AuditEvents.Verdict(proved.length() - ends.forgotten().length(), isIntact));
    }
}
