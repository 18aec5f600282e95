package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.AuditLog;
import io.millrace.authoring.flow.FlowChanges.ChangeResult;
import io.millrace.authoring.flow.Flows.FlowWithVersion;
import io.millrace.authoring.flow.agent.AgentSteps;
import io.millrace.authoring.flow.agent.FlowAgents;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.editor.FlowValidator;
import io.millrace.authoring.flow.editor.PublishCheck;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.testcase.FlowTestLimits;
import io.millrace.authoring.flow.testcase.FlowTestStore;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.VersionSummary;
import io.millrace.base.access.Gate;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.file.FlowFiles;
import io.millrace.sandbox.program.CodePrograms;
import io.millrace.workspace.project.DeletionOutbox;
import io.millrace.workspace.project.FlowFigures;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Handles {@link Flows}: creates, reads, edits and deletes flows. Operations on one flow are decided by
 * {@link FlowChanges}.
 */
public final class FlowService implements BusService, FlowFigures {
    private static final long GATE_DEADLINE_MS = 10_000;

    /** Flows of one project that are listed by their trigger. */
    private static final int TRIGGERED_MAX = 1_000;

    private final Bus bus;
    private final Database database;
    private final InstantSource clock;
    private final FlowStore store = new FlowStore();
    private final VersionStore versions = new VersionStore();
    private final FlowAuthorStore people = new FlowAuthorStore();
    private final PinnedPieces pieces;
    private final VersionUpgrade upgrade;
    private final FlowChanges changes;
    private final FlowPublishing publishing;
    private final FlowRemoval removal;
    private final TriggerSwitch triggers;
    private final boolean alone;
    private final FlowNotices notices;
    private final PublishCheck publishCheck;
    private final FlowAudit auditLog;
    private final CodePreparation preparation;
    private final FlowTestStore tests = new FlowTestStore();

    public FlowService(
            Bus bus,
            Database database,
            FlowValidator validator,
            PublishCheck publishCheck,
            CodePrograms programs,
            TriggerSwitch triggers,
            FlowAgents agents,
            FlowFiles files,
            AuditLog auditLog,
            DeletionOutbox deletions,
            FlowPublishRules rules,
            FlowTestLimits testLimits,
            RowBound bound,
            InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.clock = clock;
        this.publishCheck = publishCheck;
        this.notices = new FlowNotices(bus);
        this.auditLog = new FlowAudit(auditLog, deletions);
        this.triggers = triggers;
        this.alone = rules.alone();
        this.pieces = new PinnedPieces(bus, database, store, versions);
        this.upgrade = new VersionUpgrade(versions, files, clock);
        this.changes = new FlowChanges(store, versions, validator, upgrade, new SampleFiles(files), testLimits, bound);
        this.preparation = new CodePreparation(database, store, versions, publishCheck, validator.problems(), programs);
        this.publishing = new FlowPublishing(
                database,
                store,
                versions,
                preparation,
                new AgentSteps(agents),
                new PublicationGate(bus, database, store, versions),
                upgrade,
                triggers,
                rules,
                clock);
        this.removal = new FlowRemoval(database, store, files, triggers);
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Flows.Create.class, this::create);
        bus.serve(Flows.Build.class, this::build);
        bus.serve(Flows.Get.class, this::get);
        bus.serve(Flows.Find.class, this::find);
        bus.serve(Flows.FindTriggered.class, this::findTriggered);
        bus.serve(Flows.FindEnabled.class, this::findEnabled);
        bus.serve(Flows.Count.class, this::count);
        bus.serve(Flows.FindCodeSteps.class, this::findCodeSteps);
        bus.serve(Flows.FindVersions.class, this::findVersions);
        bus.serve(Flows.Apply.class, this::apply);
        bus.serve(Flows.Export.class, this::export);
        bus.serve(Flows.Delete.class, this::delete);
        bus.serve(Flows.ProjectOf.class, this::projectOf);
        bus.serve(Flows.PieceScopeOf.class, this::pieceScopeOf);
        bus.serve(Flows.GetVersion.class, this::getVersion);
        bus.serve(Flows.IsPublished.class, this::isPublished);
        bus.serve(Flows.LatestLocked.class, this::latestLocked);
        bus.serve(Flows.FindTarget.class, this::findTarget);
        bus.serve(Flows.GiveUp.class, this::giveUp);
        bus.serve(Projects.DisableTriggers.class, removal::disableTriggers);
        removal.watch();
        publishing.watch(alone);
    }

    public ProjectFlows ofProject() {
        return new ProjectFlows(store, versions, changes, auditLog, notices, removal, publishCheck, clock);
    }

    private Future<FlowWithVersion> create(Flows.Create create) {
        return database.inTransaction(tx -> create(tx, create))
                .onSuccess(created -> notices.created(create.by(), created));
    }

    private Future<FlowWithVersion> create(Tx tx, Flows.Create create) {
        var flow = Flow.created(
                        Ids.next(),
                        Ids.next(),
                        create.projectId(),
                        create.by().userIdOrNull(),
                        create.folderId().orElse(null),
                        clock.instant().truncatedTo(ChronoUnit.MICROS))
                .from(create.templateId(), create.metadata(), create.createdBy());
        return changes.create(tx, flow, create.displayName(), create.folderName())
                .compose(created -> auditLog.created(tx, create.by(), created).map(created));
    }

    private Future<FlowWithVersion> build(Flows.Build build) {
        var by = build.create().by();
        return database.inTransaction(tx ->
                        create(tx, build.create()).compose(created -> edit(tx, fill(build, created))))
                .map(built -> {
                    var flow = built.change().populated();
                    notices.created(by, flow);
                    notices.applied(fill(build, flow), built.before(), flow);
                    return flow;
                });
    }

    /** The operation that gives a created flow its content. */
    private static Flows.Apply fill(Flows.Build build, FlowWithVersion flow) {
        return new Flows.Apply(build.create().by(), flow.flow().id(), build.content(), build.request());
    }

    private Future<FlowWithVersion> get(Flows.Get get) {
        return database.read(tx -> {
                    var flow = load(tx, get.flowId());
                    var version = version(tx, get);
                    var schedules = triggers.schedules(tx, List.of(get.flowId()));
                    return Future.join(flow, version, schedules)
                            .map(_ -> new FlowWithVersion(flow.result(), version.result())
                                    .scheduled(schedules.result().get(get.flowId())));
                })
                .compose(found -> upgraded(found.flow().projectId(), found.version())
                        .map(version -> new FlowWithVersion(found.flow(), version, found.schedule())));
    }

    /** A transaction is only needed for a version of an earlier release, once. */
    private Future<FlowVersion> upgraded(String projectId, FlowVersion version) {
        return version.isCurrent()
                ? Future.succeededFuture(version)
                : database.inTransaction(tx -> upgrade.upgraded(tx, projectId, version));
    }

    private Future<FlowVersion> version(Tx tx, Flows.Get get) {
        return get.versionId()
                .map(id -> versions.find(tx, id)
                        .map(found -> found.filter(version -> version.flowId().equals(get.flowId()))
                                .orElseThrow(() -> ApiException.notFound("flow_version", id))))
                .orElseGet(() -> latest(tx, get.flowId()));
    }

    private Future<FlowVersion> latest(Tx tx, Flow flow) {
        return latest(tx, flow.id());
    }

    private Future<FlowVersion> latest(Tx tx, String flowId) {
        return versions.findLatest(tx, flowId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)));
    }

    private Future<Page<FlowWithVersion>> find(Flows.Find find) {
        return database.read(tx -> store.page(tx, find.filter(), find.page()).compose(page -> {
            var flowIds = page.data().stream().map(row -> row.flow().id()).toList();
            return triggers.schedules(tx, flowIds)
                    .map(schedules -> page.map(
                            row -> row.scheduled(schedules.get(row.flow().id()))));
        }));
    }

    private Future<List<FlowWithVersion>> findTriggered(Flows.FindTriggered find) {
        return database.read(tx -> store.findEnabled(tx, find.projectId(), find.pieceName(), TRIGGERED_MAX))
                .map(flows -> flows.stream()
                        .filter(flow -> begins(flow.version(), find.pieceName(), find.triggerName()))
                        .toList());
    }

    private Future<List<String>> findEnabled(Flows.FindEnabled find) {
        return database.read(tx -> store.findEnabled(tx, find.limit()));
    }

    private static boolean begins(FlowVersion version, String pieceName, String triggerName) {
        return version.steps().trigger() instanceof PieceTriggerStep trigger
                && trigger.pieceName().filter(pieceName::equals).isPresent()
                && trigger.triggerName().filter(triggerName::equals).isPresent();
    }

    private Future<FlowWithVersion> scheduled(Tx tx, FlowWithVersion populated) {
        var flowId = populated.flow().id();
        return triggers.schedules(tx, List.of(flowId)).map(schedules -> populated.scheduled(schedules.get(flowId)));
    }

    private Future<Integer> count(Flows.Count count) {
        return database.read(tx -> store.count(tx, count));
    }

    private Future<List<CodeStepReport>> findCodeSteps(Flows.FindCodeSteps ask) {
        return get(new Flows.Get(ask.flowId(), ask.versionId())).compose(found -> preparation.report(found.version()));
    }

    private Future<Page<VersionSummary>> findVersions(Flows.FindVersions find) {
        return database.read(
                tx -> load(tx, find.flowId()).compose(flow -> people.versions(tx, flow.id(), find.page())));
    }

    private Future<FlowWithVersion> apply(Flows.Apply apply) {
        return ownerChecked(apply)
                .compose(_ -> pieces.provide(apply))
                .compose(_ -> apply.operation() instanceof FlowOperation.Publishing operation
                        ? publishing.apply(apply, operation, contextOf(apply), auditLog.witness(apply))
                        : edit(apply))
                .compose(applied -> {
                    var change = applied.change();
                    notices.applied(apply, applied.before(), change.populated());
                    return change.refusedAfterwards() == null
                            ? database.read(tx -> scheduled(tx, change.populated()))
                            : Future.failedFuture(change.refusedAfterwards());
                });
    }

    private Future<ChangeResult> edit(Flows.Apply apply) {
        return database.inTransaction(tx -> edit(tx, apply));
    }

    private Future<ChangeResult> edit(Tx tx, Flows.Apply apply) {
        return lock(tx, apply.flowId())
                .compose(flow -> apply.precondition()
                        .check(() -> latest(tx, flow))
                        .compose(_ -> changes.apply(tx, flow, apply.operation(), contextOf(apply)))
                        .map(change -> new ChangeResult(flow.status(), change)))
                .compose(applied -> auditLog.witness(apply).record(tx, applied).map(applied));
    }

    private Future<Nothing> giveUp(Flows.GiveUp ask) {
        return publishing.giveUp(ask.flowId()).map(_ -> {
            bus.publish(new Flows.Changed(ask.flowId()));
            return Nothing.DONE;
        });
    }

    private Future<Flow> lock(Tx tx, String flowId) {
        return store.findForUpdate(tx, flowId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)));
    }

    private FlowEditor.Context contextOf(Flows.Apply apply) {
        return new FlowEditor.Context(
                clock.instant().truncatedTo(ChronoUnit.MICROS), apply.by().userIdOrNull());
    }

    /** The owner of a flow must be an active user with access to its project (contract flows-and-engine 4.4). */
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
        return database.inTransaction(tx -> lock(tx, delete.flowId())
                        .map(flow -> {
                            if (flow.operationStatus() != OperationStatus.NONE) {
                                throw FlowChanges.busy();
                            }
                            return flow.deleting(now);
                        })
                        .compose(flow -> store.update(tx, flow)
                                .compose(_ -> latest(tx, flow))
                                .map(version -> new FlowWithVersion(flow, version))
                                .compose(populated -> auditLog.deleted(tx, delete.by(), populated)
                                        .map(populated))))
                .map(deleted -> {
                    notices.deleted(delete.by(), deleted);
                    removal.remove(delete.flowId());
                    return Nothing.DONE;
                });
    }

    private Future<ObjectNode> export(Flows.Export ask) {
        return database.read(tx -> load(tx, ask.flowId())
                .compose(flow -> latest(tx, flow)
                        .compose(version -> people.nameOf(tx, ask.by().userIdOrNull())
                                .compose(author -> tests.ofFlow(tx, flow.id())
                                        .map(found -> FlowExport.template(flow, version, found, author))))));
    }

    private Future<String> projectOf(Flows.ProjectOf ask) {
        return database.read(tx -> store.findProject(tx, ask.flowId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", ask.flowId())));
    }

    private Future<PieceScope> pieceScopeOf(Flows.PieceScopeOf ask) {
        return database.read(tx -> store.findPieceScope(tx, ask.flowId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", ask.flowId())));
    }

    private Future<FlowVersion> getVersion(Flows.GetVersion ask) {
        return database.read(tx -> versions.find(tx, ask.versionId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow_version", ask.versionId())))
                .compose(version -> version.isCurrent()
                        ? Future.succeededFuture(version)
                        : projectOf(new Flows.ProjectOf(version.flowId()))
                                .compose(projectId -> upgraded(projectId, version)));
    }

    private Future<Boolean> isPublished(Flows.IsPublished ask) {
        return database.read(tx -> store.isPublished(tx, ask.flowId(), ask.versionId()));
    }

    private Future<Flows.VersionRef> latestLocked(Flows.LatestLocked ask) {
        return database.read(tx -> load(tx, ask.flowId()).compose(flow -> versions.findLatestLocked(tx, flow.id())))
                .map(found -> found.orElseThrow(() -> ApiException.of(
                        ErrorCode.ENTITY_NOT_FOUND,
                        Json.object()
                                .put("entityType", "flow_version")
                                .put("message", "the flow has no locked version"))));
    }

    private Future<Flows.Target> findTarget(Flows.FindTarget ask) {
        return database.read(tx -> load(tx, ask.flowId())
                .compose(flow -> latest(tx, flow)
                        .compose(latest -> published(tx, flow).map(published -> target(flow, published, latest)))));
    }

    private Future<Optional<FlowVersion>> published(Tx tx, Flow flow) {
        return flow.publishedVersionId() == null
                ? Future.succeededFuture(Optional.empty())
                : versions.find(tx, flow.publishedVersionId());
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
