package io.millrace.flow;

import io.millrace.access.Gate;
import io.millrace.bus.Bus;
import io.millrace.bus.Nothing;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Ids;
import io.millrace.core.Page;
import io.millrace.flow.Flows.Populated;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.persistence.Tx;
import io.millrace.project.FlowFigures;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Creates, shows, edits and deletes flows. Operations on one flow are decided by {@link FlowChanges}. */
public final class FlowService implements Desk, FlowFigures {
    private static final long GATE_DEADLINE_MS = 10_000;

    private final Bus bus;
    private final Database database;
    private final InstantSource clock;
    private final FlowStore store = new FlowStore();
    private final PersonStore people = new PersonStore();
    private final FlowChanges changes;
    private final FlowRemoval removal;

    /**
     * @param enableOnPublish whether publishing also enables, when the request does not say
     */
    public FlowService(
            Bus bus,
            Database database,
            FlowValidator validator,
            PublishCheck publishCheck,
            TriggerGate triggers,
            boolean enableOnPublish,
            InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.clock = clock;
        this.changes = new FlowChanges(store, validator, publishCheck, triggers, enableOnPublish);
        this.removal = new FlowRemoval(database, store);
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Flows.Create.class, this::create);
        bus.serve(Flows.Get.class, this::get);
        bus.serve(Flows.Find.class, this::find);
        bus.serve(Flows.Count.class, this::count);
        bus.serve(Flows.FindVersions.class, this::findVersions);
        bus.serve(Flows.Apply.class, this::apply);
        bus.serve(Flows.Delete.class, this::delete);
        bus.serve(Flows.ProjectOf.class, this::projectOf);
        bus.serve(Flows.GetVersion.class, this::getVersion);
        bus.serve(Flows.FindTarget.class, this::findTarget);
        removal.resume();
    }

    private Future<Populated> create(Flows.Create create) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var flow = Flow.created(
                        Ids.next(), Ids.next(), create.projectId(), create.by().userIdOrNull(), null, now)
                .from(create.templateId(), create.metadata());
        var version = FlowVersion.empty(Ids.next(), flow.id(), create.displayName(), now);
        return database.inTransaction(tx -> store.insert(tx, flow).compose(_ -> store.insertVersion(tx, version)))
                .map(new Populated(flow, version));
    }

    private Future<Populated> get(Flows.Get get) {
        return database.read(tx -> load(tx, get.flowId())
                .compose(flow -> version(tx, flow, get.versionId()).map(version -> new Populated(flow, version))));
    }

    private Future<FlowVersion> version(Tx tx, Flow flow, Optional<String> versionId) {
        return versionId
                .map(id -> store.findVersion(tx, id)
                        .map(found -> found.filter(version -> version.flowId().equals(flow.id()))
                                .orElseThrow(() -> ApiException.notFound("flow_version", id))))
                .orElseGet(() -> latest(tx, flow));
    }

    private Future<FlowVersion> latest(Tx tx, Flow flow) {
        return store.findLatestVersion(tx, flow.id()).map(found -> found.orElseThrow());
    }

    private Future<Page<Populated>> find(Flows.Find find) {
        return database.read(tx -> store.page(tx, find.filter(), find.page()));
    }

    private Future<Integer> count(Flows.Count count) {
        return database.read(tx -> store.count(tx, count));
    }

    private Future<Page<VersionSummary>> findVersions(Flows.FindVersions find) {
        return database.read(
                tx -> load(tx, find.flowId()).compose(flow -> people.versions(tx, flow.id(), find.page())));
    }

    private Future<Populated> apply(Flows.Apply apply) {
        return ownerChecked(apply)
                .compose(_ -> database.inTransaction(tx -> store.findForUpdate(tx, apply.flowId())
                        .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", apply.flowId())))
                        .compose(flow -> changes.apply(tx, flow, apply.operation(), contextOf(apply)))))
                .compose(change -> {
                    bus.publish(new Flows.Changed(apply.flowId()));
                    return change.refusedAfterwards() == null
                            ? Future.succeededFuture(change.populated())
                            : Future.failedFuture(change.refusedAfterwards());
                });
    }

    private FlowEditor.Context contextOf(Flows.Apply apply) {
        return new FlowEditor.Context(
                clock.instant().truncatedTo(ChronoUnit.MICROS), apply.by().userIdOrNull());
    }

    /** A flow is only given to an active user who may enter its project (contract flows-and-engine 4.4). */
    private Future<Nothing> ownerChecked(Flows.Apply apply) {
        if (!(apply.operation() instanceof FlowOperation.UpdateOwner(var ownerId))) {
            return Future.succeededFuture(Nothing.DONE);
        }
        return database.read(tx -> load(tx, apply.flowId())
                        .compose(flow -> people.findActive(tx, ownerId)
                                .map(found -> found.orElseThrow(() -> ApiException.notFound("user", ownerId)))
                                .map(owner -> new Gate.Enter(owner, flow.projectId(), null))))
                .compose(enter -> bus.ask(enter, GATE_DEADLINE_MS))
                .recover(failure -> Future.failedFuture(
                        failure instanceof ApiException refusal && refusal.code() == ErrorCode.AUTHORIZATION
                                ? ApiException.notFound("user", ownerId)
                                : failure));
    }

    private Future<Nothing> delete(Flows.Delete delete) {
        var now = clock.instant();
        return database.inTransaction(tx -> store.findForUpdate(tx, delete.flowId())
                        .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", delete.flowId())))
                        .compose(flow -> flow.operationStatus() == OperationStatus.NONE
                                ? store.update(tx, flow.deleting(now))
                                : Future.failedFuture(ApiException.of(
                                        ErrorCode.FLOW_OPERATION_IN_PROGRESS,
                                        "another operation on the flow is under way"))))
                .map(_ -> {
                    bus.publish(new Flows.Changed(delete.flowId()));
                    removal.remove(delete.flowId());
                    return Nothing.DONE;
                });
    }

    private Future<String> projectOf(Flows.ProjectOf ask) {
        return database.read(tx -> load(tx, ask.flowId())).map(Flow::projectId);
    }

    private Future<FlowVersion> getVersion(Flows.GetVersion ask) {
        return database.read(tx -> store.findVersion(tx, ask.versionId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow_version", ask.versionId())));
    }

    private Future<Flows.Target> findTarget(Flows.FindTarget ask) {
        return database.read(tx -> load(tx, ask.flowId())
                .compose(flow -> latest(tx, flow)
                        .compose(latest -> published(tx, flow).map(published -> target(flow, published, latest)))));
    }

    private Future<Optional<FlowVersion>> published(Tx tx, Flow flow) {
        return flow.publishedVersionId() == null
                ? Future.succeededFuture(Optional.empty())
                : store.findVersion(tx, flow.publishedVersionId());
    }

    private static Flows.Target target(Flow flow, Optional<FlowVersion> published, FlowVersion latest) {
        return new Flows.Target(
                flow.projectId(),
                flow.id(),
                flow.status() == FlowStatus.ENABLED,
                published.map(FlowService::ref),
                ref(latest),
                latest.steps().trigger() instanceof PieceTriggerStep trigger ? trigger.sourceName() : "");
    }

    private static Flows.VersionRef ref(FlowVersion version) {
        return new Flows.VersionRef(version.id(), version.updated());
    }

    private Future<Flow> load(Tx tx, String flowId) {
        return store.find(tx, flowId).map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)));
    }

    @Override
    public Future<Map<String, FlowFigures.Count>> count(Tx tx, List<String> projectIds) {
        return store.figures(tx, projectIds)
                .map(figures -> figures.stream()
                        .collect(Collectors.toMap(
                                FlowStore.Figures::projectId,
                                figure -> new FlowFigures.Count(figure.total(), figure.active()))));
    }
}
