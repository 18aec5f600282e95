package io.millrace.integration.analytics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.UserView;
import io.millrace.account.identity.user.Users;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Serves {@link Analytics}. Counting all runs is slow, so the report is stored: a response marks a report older than five
 * minutes as outdated, and a client may request a new one, which is computed once for concurrent requests.
 */
public final class AnalyticsService implements BusService {
    private static final long USERS_DEADLINE_MS = 10_000;

    private final Database database;
    private final InstantSource clock;
    private final ReportStore store = new ReportStore();
    private Bus bus;

    public AnalyticsService(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        bus.serve(Analytics.Show.class, this::show);
        bus.serve(Analytics.Rank.class, this::rank);
    }

    private Future<ObjectNode> show(Analytics.Show ask) {
        var since = ask.period().orElse(TimePeriod.LAST_YEAR).since(today());
        var people = bus.ask(
                new Users.ListAll(ask.by(), Optional.empty(), new PageRequest(PageRequest.LIMIT_MAX, null, false)),
                USERS_DEADLINE_MS);
        return report(ask.by().platform(), ask.refreshed())
                .compose(report -> people.map(page -> {
                    var json = report.toJson(since, clock.instant());
                    page.data().stream().map(UserView::toJson).forEach(json.putArray("users")::add);
                    return json;
                }));
    }

    private Future<ArrayNode> rank(Analytics.Rank ask) {
        var since = ask.period().since(today());
        return report(ask.by().platform(), false).map(report -> report.ranking(ask.subject(), since));
    }

    private Future<AnalyticsReport> report(String platformId, boolean refreshed) {
        return database.read(tx -> store.find(tx, platformId))
                .compose(found -> found.filter(report -> isGood(report, refreshed))
                        .map(Future::succeededFuture)
                        .orElseGet(() -> database.inTransaction(tx -> made(tx, platformId, refreshed))));
    }

    private boolean isGood(AnalyticsReport report, boolean refreshed) {
        return !refreshed || !report.isOutdated(clock.instant());
    }

    /** Computes the report under a lock; another request may have computed it while this one waited. */
    private Future<AnalyticsReport> made(Tx tx, String platformId, boolean refreshed) {
        return store.lock(tx, platformId)
                .compose(_ -> store.find(tx, platformId))
                .compose(found -> found.filter(report -> isGood(report, refreshed))
                        .map(Future::succeededFuture)
                        .orElseGet(() -> fresh(tx, platformId, found)));
    }

    private Future<AnalyticsReport> fresh(Tx tx, String platformId, Optional<AnalyticsReport> former) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var since = TimePeriod.LAST_YEAR.since(today()).atStartOfDay().toInstant(ZoneOffset.UTC);
        return store.runs(tx, platformId, since)
                .compose(runs -> store.flows(tx, platformId)
                        .map(flows -> new AnalyticsReport(
                                former.map(AnalyticsReport::id).orElseGet(Ids::next),
                                former.map(AnalyticsReport::created).orElse(now),
                                now,
                                platformId,
                                now,
                                runs,
                                flows)))
                .compose(report -> store.put(tx, report).map(report));
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }
}
