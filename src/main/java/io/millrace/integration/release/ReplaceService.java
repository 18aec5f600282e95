package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.EventAction;
import io.millrace.authoring.flow.FlowFolders;
import io.millrace.authoring.folder.ProjectFolders;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.integration.release.Preflight.Findings;
import io.millrace.integration.release.ReleaseApplier.AppliedChanges;
import io.millrace.integration.release.ReleaseApplier.ProjectSnapshot;
import io.millrace.integration.release.ReleaseApplier.Target;
import io.millrace.workspace.connection.ConnectionStates.StoredConnection;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Serves {@link Releases.Replace}: replaces a project by a document. Unlike the product, which continues after a failure, the
 * replace is atomic, so that {@code failed} is always empty; a dry run reports the planned changes.
 */
public final class ReplaceService implements BusService {
    private final ReleaseParts parts;
    private final Bus bus;
    private final Database database;
    private final ProjectFolders folders;
    private final FlowFolders places = new FlowFolders();
    private final ReleaseApplier applier;
    private final StateSources sources;
    private final Publications publications;
    private final ProjectUpdate projectUpdate;
    private final Preflight preflight;

    /** @param version of this server */
    public ReplaceService(ReleaseParts parts, ProjectFolders folders, String version) {
        this.parts = parts;
        this.bus = parts.bus();
        this.database = parts.database();
        this.folders = folders;
        this.applier = parts.applier();
        this.sources = new StateSources(parts);
        this.publications = parts.publications();
        this.projectUpdate = parts.projectUpdate();
        this.preflight = new Preflight(bus, version);
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Releases.Replace.class, this::replace);
    }

    private Future<ReplaceOutcome> replace(Releases.Replace ask) {
        var started = parts.timing().clock().instant();
        return database.read(tx -> applier.snapshot(tx, ask.projectId()))
                .compose(snapshot -> preflight.look(ask.by(), ask.document(), snapshot.connections()))
                .compose(findings -> findings.errors().isEmpty()
                        ? replace(ask, findings, started)
                        : Future.succeededFuture(new ReplaceOutcome.Refused(findings.errors())));
    }

    private Future<ReplaceOutcome> replace(Releases.Replace ask, Findings findings, Instant started) {
        var wanted = ask.document().state();
        return sources.pieceVersions(ask.by(), wanted.connections())
                .map(versions -> new Target(ask.by(), ask.projectId(), true, versions))
                .compose(target -> ask.isDryRun() ? planned(ask) : applied(ask, target, started))
                .recover(failure -> Future.failedFuture(ProjectFolders.told(failure)))
                .map(summary -> new ReplaceOutcome.Applied(completed(summary, findings, started)));
    }

    private record Change(ProjectSnapshot snapshot, StateDiff diff, ProjectFolders.Diff folders) {}

    private static StateDiff diff(Releases.Replace ask, ProjectSnapshot snapshot) {
        return StateDiff.of(snapshot, ask.document().state());
    }

    private Future<Change> change(Tx tx, Releases.Replace ask, ProjectSnapshot snapshot, StateDiff diff) {
        return folders.diff(tx, ask.projectId(), ask.document().folders())
                .map(change -> new Change(snapshot, diff, change));
    }

    private Future<ObjectNode> planned(Releases.Replace ask) {
        return projectUpdate
                .compared(ask.projectId(), applier::snapshot, snapshot -> diff(ask, snapshot))
                .compose(compared -> database.read(tx -> change(tx, ask, compared.state(), compared.change())))
                .map(change -> {
                    var summary = ReplaceSummary.of(ask.document(), change.diff(), change.folders());
                    var known = change.snapshot().connections();
                    var missing = change.diff().connections().stream()
                            .filter(StateDiff.ConnectionChange.Create.class::isInstance)
                            .map(each -> ((StateDiff.ConnectionChange.Create) each).state());
                    var awaiting = summary.putArray("connectionsAwaitingAuthorization");
                    awaiting(ask, known)
                            .forEach(held -> awaiting.add(held.state().toJson()));
                    missing.forEach(state -> awaiting.add(state.toJson()));
                    return summary;
                });
    }

    private static List<StoredConnection> awaiting(Releases.Replace ask, List<StoredConnection> held) {
        var named = ask.document().state().connections().stream()
                .map(connection -> connection.externalId())
                .collect(Collectors.toSet());
        return held.stream()
                .filter(each -> named.contains(each.state().externalId()))
                .filter(each -> each.status() != ConnectionStatus.ACTIVE)
                .toList();
    }

    private record ReplaceResult(ObjectNode summary, AppliedChanges applied, ProjectFolders.Diff folders) {}

    private Future<ObjectNode> applied(Releases.Replace ask, Target target, Instant started) {
        return projectUpdate
                .apply(
                        ask.projectId(),
                        applier::snapshot,
                        snapshot -> diff(ask, snapshot),
                        (tx, snapshot, diff) -> change(tx, ask, snapshot, diff)
                                .compose(change -> replaced(tx, ask, target, change, started)))
                .onSuccess(replaced -> {
                    applier.announce(ask.by(), replaced.applied());
                    folders.announce(ask.by(), replaced.folders());
                })
                .compose(replaced -> publications
                        .carryOut(ask.by(), replaced.applied().publications())
                        .map(replaced.summary()));
    }

    private Future<ReplaceResult> replaced(Tx tx, Releases.Replace ask, Target target, Change change, Instant started) {
        var document = ask.document();
        return folders.apply(tx, change.folders())
                .compose(_ -> applier.apply(tx, target, change.diff()))
                .compose(applied -> places.place(tx, ask.projectId(), document.folders(), document.folderKeys())
                        .compose(_ -> publications.keep(tx, ask.by(), applied.publications()))
                        .compose(_ -> applier.snapshot(tx, ask.projectId()))
                        .map(snapshot -> summary(ask, change, snapshot))
                        .compose(summary -> record(tx, ask, change, applied, summary, started)
                                .map(new ReplaceResult(summary, applied, change.folders()))));
    }

    private static ObjectNode summary(Releases.Replace ask, Change change, ProjectSnapshot after) {
        var summary = ReplaceSummary.of(ask.document(), change.diff(), change.folders());
        var awaiting = summary.putArray("connectionsAwaitingAuthorization");
        awaiting(ask, after.connections())
                .forEach(held -> awaiting.add(held.state().toJson()));
        return summary;
    }

    private Future<Void> record(
            Tx tx, Releases.Replace ask, Change change, AppliedChanges applied, ObjectNode summary, Instant started) {
        var data = Json.object().put("sourceActivepiecesVersion", ask.document().sourceVersion());
        data.set("applied", summary.get("applied"));
        data.put("failedCount", 0).put("outcome", "SUCCESS").put("durationMs", durationMs(started));
        return applier.record(tx, ask.by(), applied)
                .compose(_ -> folders.record(tx, ask.by(), change.folders()))
                .compose(_ -> parts.auditLog()
                        .record(
                                tx,
                                ApplicationEvent.inProject(
                                        EventAction.PROJECT_REPLACED, ask.by(), ask.projectId(), data)));
    }

    private ObjectNode completed(ObjectNode summary, Findings findings, Instant started) {
        var installed = summary.putArray("piecesInstalled");
        findings.installed()
                .forEach(piece -> installed
                        .addObject()
                        .put("name", piece.name())
                        .put("version", piece.version())
                        .put("pieceType", piece.pieceType()));
        return summary.put("durationMs", durationMs(started));
    }

    private long durationMs(Instant started) {
        return Duration.between(started, parts.timing().clock().instant()).toMillis();
    }
}
