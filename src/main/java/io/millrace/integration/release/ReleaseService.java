package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.EventAction;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.integration.release.ProjectUpdate.Comparison;
import io.millrace.integration.release.ReleaseApplier.AppliedChanges;
import io.millrace.integration.release.ReleaseApplier.Target;
import io.vertx.core.Future;
import java.time.temporal.ChronoUnit;

/** Serves {@link Releases}: plans, and releases in one transaction. */
public final class ReleaseService implements BusService {
    private final ReleaseParts parts;
    private final Bus bus;
    private final Database database;
    private final ReleaseApplier applier;
    private final StateSources sources;
    private final Publications publications;
    private final ProjectUpdate projectUpdate;
    private final ReleaseStore store = new ReleaseStore();

    public ReleaseService(ReleaseParts parts) {
        this.parts = parts;
        this.bus = parts.bus();
        this.database = parts.database();
        this.applier = parts.applier();
        this.sources = new StateSources(parts);
        this.publications = parts.publications();
        this.projectUpdate = parts.projectUpdate();
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Releases.ListOf.class, ask -> database.read(tx -> store.page(tx, ask.projectId(), ask.page())));
        bus.serve(Releases.Find.class, ask -> find(ask.id()));
        bus.serve(Releases.ProjectOf.class, ask -> find(ask.id()).map(Release::projectId));
        bus.serve(Releases.Plan.class, this::plan);
        bus.serve(Releases.Create.class, this::create);
        publications.watch(parts.timing().alone());
    }

    private Future<Release> find(String id) {
        return database.read(tx -> store.find(tx, id))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("project-release", id)));
    }

    private Future<ObjectNode> plan(Releases.Plan ask) {
        return sources.stateOf(ask.by(), ask.projectId(), ask.source())
                .compose(state -> projectUpdate.compared(
                        ask.projectId(),
                        applier::snapshot,
                        snapshot -> StateDiff.of(snapshot, state).toPlan(applier::problemOf)))
                .map(Comparison::change);
    }

    private record Outcome(Release release, AppliedChanges applied) {}

    private Future<Release> create(Releases.Create ask) {
        var by = ask.by();
        return sources.stateOf(by, ask.projectId(), ask.request().source())
                .compose(state -> sources.pieceVersions(by, state.connections())
                        .map(versions -> new Target(
                                by,
                                ask.projectId(),
                                ask.request().source() instanceof ReleaseSource.Rollback,
                                versions))
                        .compose(target -> projectUpdate.apply(
                                ask.projectId(),
                                applier::snapshot,
                                snapshot -> StateDiff.of(snapshot, state)
                                        .only(ask.request().selectedFlowIds()),
                                (tx, _, diff) -> released(tx, ask, target, diff))))
                .onSuccess(outcome -> {
                    applier.announce(by, outcome.applied());
                    bus.publish(new Releases.Created(by, outcome.release()));
                })
                .compose(outcome -> publications
                        .carryOut(by, outcome.applied().publications())
                        .map(outcome.release()));
    }

    private Future<Outcome> released(Tx tx, Releases.Create ask, Target target, StateDiff diff) {
        return applier.apply(tx, target, diff)
                .compose(applied -> publications
                        .keep(tx, ask.by(), applied.publications())
                        .compose(_ -> kept(tx, ask, applied))
                        .compose(release -> record(tx, ask, release, applied).map(new Outcome(release, applied))));
    }

    /**
     * Saves the release with a snapshot of the current project. The snapshot is compressed on the calling thread, because a
     * transaction must not wait for a worker: about 20 ms for 1 MB of flows.
     */
    private Future<Release> kept(Tx tx, Releases.Create ask, AppliedChanges applied) {
        var request = ask.request();
        var now = parts.timing().clock().instant().truncatedTo(ChronoUnit.MICROS);
        var release = new Release(
                Ids.next(),
                now,
                now,
                ask.projectId(),
                request.name(),
                request.description().orElse(null),
                request.source().type(),
                ask.by().actingUser(),
                null,
                Ids.next());
        return applier.snapshot(tx, ask.projectId())
                .map(snapshot -> StateSources.packed(
                        snapshot.published(applied.publications()).state()))
                .compose(snapshot -> parts.files()
                        .keepSnapshot(tx, release.fileId(), now, ask.projectId(), request.name(), snapshot))
                .compose(_ -> store.insert(tx, release, parts.releaseBound()))
                .compose(_ -> store.find(tx, release.id()))
                .map(found -> found.orElseThrow());
    }

    private Future<Void> record(Tx tx, Releases.Create ask, Release release, AppliedChanges applied) {
        return applier.record(tx, ask.by(), applied)
                .compose(_ -> parts.auditLog()
                        .record(
                                tx,
                                ApplicationEvent.inProject(
                                        EventAction.PROJECT_RELEASE_CREATED,
                                        ask.by(),
                                        ask.projectId(),
                                        release.eventData())));
    }
}
