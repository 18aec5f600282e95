package io.millrace.integration.diagnosis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.millrace.integration.issue.Issues;
import io.millrace.integration.issue.LoggedSteps;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Serves {@link Diagnoses}: collects the evidence of a failed run. */
public final class DiagnosisService implements BusService {
    private static final long DEADLINE_MS = 20_000;

    private final Database database;
    private final LoggedSteps logs;
    private final Supplier<Config> settings;
    private final InstantSource clock;
    private final DiagnosisStore store = new DiagnosisStore();
    private final ChangeSearch changes;
    private Bus bus;

    public DiagnosisService(Database database, LoggedSteps logs, Supplier<Config> settings, InstantSource clock) {
        this.database = database;
        this.logs = logs;
        this.settings = settings;
        this.clock = clock;
        this.changes = new ChangeSearch(database, store);
    }

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        bus.serve(Diagnoses.Get.class, this::get);
        bus.serve(Diagnoses.Summarise.class, this::summarise);
        bus.serve(Diagnoses.RecordLimits.class, _ -> recordLimits());
    }

    private Future<ObjectNode> get(Diagnoses.Get ask) {
        return bus.ask(new RunQueries.Look(ask.runId()), DEADLINE_MS)
                .compose(run -> isFailed(run)
                        ? diagnosis(run)
                                .compose(found -> visible(ask.by(), run.projectId(), found.changes())
                                        .map(claims -> found.with(claims).toJson(ask.by())))
                        : Future.succeededFuture(Diagnosis.ofUnfailed(run)));
    }

    private Future<Optional<Diagnoses.Summary>> summarise(Diagnoses.Summarise ask) {
        return bus.ask(new RunQueries.Look(ask.runId()), DEADLINE_MS)
                .compose(run -> isFailed(run)
                        ? diagnosis(run).map(DiagnosisService::summary)
                        : Future.succeededFuture(Optional.<Diagnoses.Summary>empty()))
                .recover(failure -> ApiException.isNotFound(failure)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    private static Optional<Diagnoses.Summary> summary(Diagnosis found) {
        return Optional.of(new Diagnoses.Summary(
                found.failed().rule().cause(),
                found.sentence(),
                found.changes().stream().findFirst().map(RunChange::sentence)));
    }

    private Future<Nothing> recordLimits() {
        return database.read(tx -> store.recordLimits(
                        tx, settings.get().observation().failures().limits(), clock.instant()))
                .map(Nothing.DONE);
    }

    private static boolean isFailed(Run run) {
        return RunStatus.FAILURES.contains(run.status());
    }

    private Future<Diagnosis> diagnosis(Run run) {
        return logs.of(run.id())
                .map(steps -> new FailedRun(run, steps))
                .compose(failed ->
                        database.read(tx -> store.former(tx, run)).compose(former -> diagnosis(failed, former)));
    }

    private Future<Diagnosis> diagnosis(FailedRun failed, Optional<FormerRun> former) {
        var run = failed.run();
        var difference = former.map(successful -> logs.of(successful.id()))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .map(failed::differenceFrom);
        var found = versions(run, former).compose(versions -> changes.find(failed, former, versions));
        var similar = bus.ask(new Issues.FindOfRun(run), DEADLINE_MS);
        return Future.all(difference, found, similar).map(_ -> {
            var limits = settings.get().observation().failures().limits();
            return new Diagnosis(
                    failed,
                    former,
                    difference.result(),
                    found.result().claims(),
                    similar.result(),
                    new RecoveryActions(run, failed.rule(), limits)
                            .list(found.result().ofStep()));
        });
    }

    private Future<ChangeSearch.Versions> versions(Run run, Optional<FormerRun> former) {
        return version(run.flowVersionId())
                .compose(now -> former.map(successful -> version(successful.flowVersionId()))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                        .map(before -> new ChangeSearch.Versions(now, before)));
    }

    /** Versions of deleted flows, and drafts that were discarded, are gone. */
    private Future<Optional<FlowVersion>> version(String versionId) {
        return bus.ask(new Flows.GetVersion(versionId), DEADLINE_MS)
                .map(Optional::of)
                .recover(failure -> ApiException.isNotFound(failure)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    /** Leaves out claims whose evidence the reader may not read. */
    private Future<List<RunChange>> visible(Principal by, String projectId, List<RunChange> claims) {
        var needed = EnumSet.noneOf(Permission.class);
        claims.forEach(claim -> needed.add(claim.kind().permission()));
        var held = EnumSet.noneOf(Permission.class);
        var done = Future.<Void>succeededFuture();
        for (var permission : needed) {
            done = done.compose(_ -> bus.ask(new Gate.Enter(by, projectId, permission), DEADLINE_MS))
                    .<Void>map(_ -> {
                        held.add(permission);
                        return null;
                    })
                    .recover(DiagnosisService::unlessRefused);
        }
        return done.map(_ -> within(claims, held));
    }

    private static Future<Void> unlessRefused(Throwable failure) {
        return failure instanceof ApiException && !ApiException.isUnavailable(failure)
                ? Future.succeededFuture()
                : Future.failedFuture(failure);
    }

    private static List<RunChange> within(List<RunChange> claims, Set<Permission> held) {
        return claims.stream()
                .filter(claim -> held.contains(claim.kind().permission()))
                .toList();
    }
}
