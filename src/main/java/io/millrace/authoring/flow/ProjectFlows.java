package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.FlowChanges.ChangeResult;
import io.millrace.authoring.flow.Flows.FlowWithVersion;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.editor.PublishCheck;
import io.millrace.authoring.flow.testcase.FlowTestStore;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.access.Principal;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The flows of a project as a whole, for the module above, whose transactions it shares (contract admin-api 11). Flows
 * are matched by external id; publication is a separate request afterwards.
 */
public final class ProjectFlows {
    private final FlowStore store;
    private final VersionStore versions;
    private final FlowChanges changes;
    private final FlowAudit auditLog;
    private final FlowNotices notices;
    private final FlowRemoval removal;
    private final PublishCheck publishCheck;
    private final InstantSource clock;
    private final FlowTestStore tests = new FlowTestStore();

    ProjectFlows(
            FlowStore store,
            VersionStore versions,
            FlowChanges changes,
            FlowAudit auditLog,
            FlowNotices notices,
            FlowRemoval removal,
            PublishCheck publishCheck,
            InstantSource clock) {
        this.store = store;
        this.versions = versions;
        this.changes = changes;
        this.auditLog = auditLog;
        this.notices = notices;
        this.removal = removal;
        this.publishCheck = publishCheck;
        this.clock = clock;
    }

    public sealed interface Done {
        FlowWithVersion flow();

        record Created(FlowWithVersion flow) implements Done {}

        record Updated(FlowStatus before, FlowWithVersion flow, ObjectNode request) implements Done {}

        record Deleted(FlowWithVersion flow) implements Done {}
    }

    /** States of all flows, oldest first. */
    public Future<List<FlowState>> states(Tx tx, String projectId) {
        return store.ofProject(tx, projectId).compose(flows -> {
            var flowIds = flows.stream().map(flow -> flow.flow().id()).toList();
            return tests.ofFlows(tx, flowIds)
                    .map(found -> flows.stream()
                            .map(flow -> FlowState.of(
                                    flow, found.getOrDefault(flow.flow().id(), List.of())))
                            .toList());
        });
    }

    public Optional<String> problemOf(FlowState state) {
        var version = FlowVersion.empty(state.id(), state.id(), state.displayName(), clock.instant());
        try {
            publishCheck.check(version.with(state.content().steps()));
            return Optional.empty();
        } catch (ApiException refused) {
            return Optional.of(refused.text());
        }
    }

    public Future<Done> create(Tx tx, Principal by, String projectId, FlowState state) {
        var context = contextOf(by);
        var flow = Flow.created(Ids.next(), state.externalId(), projectId, by.userIdOrNull(), null, context.now());
        return store.freeExternalId(tx, projectId, state.externalId())
                .compose(_ -> changes.create(tx, flow, state.displayName(), Optional.empty()))
                .compose(created -> changes.apply(tx, created.flow(), state.content(), context))
                .map(change -> new Done.Created(change.populated()));
    }

    public Future<Done> update(Tx tx, Principal by, String flowId, FlowState state) {
        return held(tx, flowId)
                .compose(flow -> changes.apply(tx, flow, state.content(), contextOf(by))
                        .map(change -> new Done.Updated(flow.status(), change.populated(), state.request())));
    }

    /** Marks a flow as deleted; {@link #announce} starts its removal. */
    public Future<Done> delete(Tx tx, String flowId) {
        return held(tx, flowId).compose(flow -> {
            var deleting = flow.deleting(clock.instant());
            return store.update(tx, deleting)
                    .compose(_ -> versions.findLatest(tx, flowId))
                    .map(found -> new Done.Deleted(new FlowWithVersion(deleting, found.orElseThrow())));
        });
    }

    /** Locks a flow without another operation in progress until the transaction ends. */
    private Future<Flow> held(Tx tx, String flowId) {
        return store.findForUpdate(tx, flowId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)))
                .map(flow -> {
                    if (flow.operationStatus() != OperationStatus.NONE) {
                        throw ApiException.of(
                                ErrorCode.FLOW_OPERATION_IN_PROGRESS,
                                "another operation is running on flow " + flow.externalId());
                    }
                    return flow;
                });
    }

    /** Records the changes; the last call of the transaction. */
    public Future<Void> record(Tx tx, Principal by, List<Done> all) {
        var recorded = Future.<Void>succeededFuture();
        for (var done : all) {
            recorded = recorded.compose(_ -> switch (done) {
                case Done.Created(var flow) -> auditLog.created(tx, by, flow);
                case Done.Updated updated ->
                    auditLog.witness(applyOf(by, updated)).record(tx, appliedOf(updated));
                case Done.Deleted(var flow) -> auditLog.deleted(tx, by, flow);
            });
        }
        return recorded;
    }

    /** Publishes the notices of changes after the commit. */
    public void announce(Principal by, List<Done> all) {
        for (var done : all) {
            switch (done) {
                case Done.Created(var flow) -> notices.created(by, flow);
                case Done.Updated updated -> notices.applied(applyOf(by, updated), updated.before(), updated.flow());
                case Done.Deleted(var flow) -> {
                    notices.deleted(by, flow);
                    removal.remove(flow.flow().id());
                }
            }
        }
    }

    private static Flows.Apply applyOf(Principal by, Done.Updated updated) {
        var version = updated.flow().version();
        return new Flows.Apply(by, updated.flow().flow().id(), FlowOperation.ImportFlow.of(version), updated.request());
    }

    private static ChangeResult appliedOf(Done.Updated updated) {
        return new ChangeResult(updated.before(), new FlowChanges.Change(updated.flow(), null));
    }

    private FlowEditor.Context contextOf(Principal by) {
        return new FlowEditor.Context(clock.instant().truncatedTo(ChronoUnit.MICROS), by.userIdOrNull());
    }
}
