package io.millrace.workspace.usage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.millrace.piece.model.ModelSpender;
import io.millrace.workspace.usage.ModelUsages.Period;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles {@link ModelUsages}. Days and months are those of UTC. */
public final class ModelUsageService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(ModelUsageService.class);

    private static final String USED_UP = "the project has used up its token budget for this month";
    private static final long TIDY_EVERY_MS = Duration.ofHours(6).toMillis();

    private final Vertx vertx;
    private final Database database;
    private final Duration kept;
    private final InstantSource clock;
    private final ModelUsageStore store = new ModelUsageStore();
    private final SpendingStore spendings = new SpendingStore();

    /** @param kept retention of daily figures (AP_AI_USAGE_RETENTION_DAYS) */
    public ModelUsageService(Vertx vertx, Database database, Duration kept, InstantSource clock) {
        this.vertx = vertx;
        this.database = database;
        this.kept = kept;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(ModelUsages.Count.class, this::count);
        bus.serve(ModelUsages.LimitReached.class, this::limitReached);
        bus.serve(ModelUsages.SetLimit.class, this::setLimit);
        bus.serve(ModelUsages.ReportOf.class, this::report);
        bus.serve(ModelUsages.ReportOfPlatform.class, this::reportOfPlatform);
        bus.serve(ModelUsages.SetBudget.class, this::setBudget);
        vertx.setPeriodic(TIDY_EVERY_MS, _ -> tidy());
        tidy();
    }

    private void tidy() {
        removeExpired()
                .onSuccess(count -> LOG.debug("deleted {} expired usage counts of models", count))
                .onFailure(cause ->
                        LOG.warn("cannot delete expired usage counts of models, retrying: {}", cause.getMessage()));
    }

    /** Deletes days past their retention; returns the number of rows. */
    Future<Integer> removeExpired() {
        return database.inTransaction(tx -> ExpiryTime.now(tx, clock)
                .map(now -> LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(kept.toDays()))
                .compose(day ->
                        spendings.removeBefore(tx, day.withDayOfMonth(1)).compose(_ -> store.removeBefore(tx, day))));
    }

    private Future<Nothing> count(ModelUsages.Count ask) {
        return database.read(tx -> store.add(tx, ask.projectId(), today(), ask.usage())
                        .compose(_ -> ask.spender().equals(ModelSpender.NONE)
                                ? Future.succeededFuture()
                                : spendings.add(tx, ask.projectId(), beginOfMonth(), ask.spender(), ask.usage())))
                .map(Nothing.DONE);
    }

    private Future<Optional<String>> limitReached(ModelUsages.LimitReached ask) {
        return database.read(tx -> store.budget(tx, ask.projectId(), beginOfMonth())
                .compose(budget ->
                        budget.filter(ModelUsageStore.Budget::isUsedUp).isPresent()
                                ? Future.succeededFuture(Optional.of(USED_UP))
                                : spendings
                                        .of(tx, ask.projectId(), beginOfMonth(), ask.spender())
                                        .map(limits -> limits.stream()
                                                .flatMap(limit -> limit.reason().stream())
                                                .findFirst())));
    }

    private Future<JsonNode> setLimit(ModelUsages.SetLimit ask) {
        return database.inTransaction(tx -> spendings.set(tx, ask.platformId(), ask.projectId(), ask.limit()))
                .map(known -> {
                    if (!known) {
                        throw ApiException.notFound("project", ask.projectId());
                    }
                    return ask.limit().toRequest(ask.projectId());
                });
    }

    private Future<JsonNode> report(ModelUsages.ReportOf ask) {
        var period = ask.period().orElseGet(this::thisMonth);
        return database.read(tx -> store.byDay(tx, ask.projectId(), period)
                .compose(rows -> store.budget(tx, ask.projectId(), beginOfMonth())
                        .compose(budget -> spendings
                                .all(tx, ask.projectId(), beginOfMonth())
                                .compose(limits -> store.tokens(tx, ask.projectId(), beginOfMonth())
                                        .map(used -> {
                                            var report = written(period, rows).put("projectId", ask.projectId());
                                            var shown = report.putObject("budget");
                                            shown.put(
                                                    "tokensPerMonth",
                                                    budget.map(ModelUsageStore.Budget::tokens)
                                                            .orElse(null));
                                            shown.put("tokensUsedThisMonth", used);
                                            var bounds = report.putArray("limits");
                                            limits.forEach(limit -> bounds.add(limit.toJson()));
                                            return report;
                                        })))));
    }

    private Future<JsonNode> reportOfPlatform(ModelUsages.ReportOfPlatform ask) {
        var period = ask.period().orElseGet(this::thisMonth);
        return database.read(tx -> store.byProject(tx, ask.platformId(), period))
                .map(rows -> written(period, rows));
    }

    private static ObjectNode written(Period period, List<ObjectNode> rows) {
        var report = Json.object()
                .put("from", period.from().toString())
                .put("to", period.to().toString());
        var data = report.putArray("data");
        rows.forEach(data::add);
        var totals = report.putObject("totals");
        for (var name : List.of("calls", "inputTokens", "outputTokens")) {
            totals.put(
                    name,
                    rows.stream().mapToLong(row -> row.path(name).asLong()).sum());
        }
        totals.put(
                "aiCredits",
                rows.stream()
                        .mapToDouble(row -> row.path("aiCredits").asDouble())
                        .sum());
        totals.put(
                "costUsd",
                rows.stream().mapToDouble(row -> row.path("costUsd").asDouble()).sum());
        return report;
    }

    private Future<JsonNode> setBudget(ModelUsages.SetBudget ask) {
        return database.inTransaction(
                        tx -> store.setBudget(tx, ask.platformId(), ask.projectId(), ask.tokensPerMonth()))
                .map(known -> {
                    if (!known) {
                        throw ApiException.notFound("project", ask.projectId());
                    }
                    return Json.object()
                            .put("projectId", ask.projectId())
                            .put("tokensPerMonth", ask.tokensPerMonth().orElse(null));
                });
    }

    private Period thisMonth() {
        return new Period(beginOfMonth(), today());
    }

    private LocalDate beginOfMonth() {
        return today().withDayOfMonth(1);
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }
}
