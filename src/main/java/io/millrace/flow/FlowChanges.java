package io.millrace.flow;

import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import io.millrace.flow.FlowOperation.FlowEdit;
import io.millrace.flow.FlowOperation.NoteEdit;
import io.millrace.flow.FlowOperation.Publishing;
import io.millrace.flow.FlowOperation.StoredEdit;
import io.millrace.flow.FlowOperation.TreeEdit;
import io.millrace.flow.Flows.Populated;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * What each group of operations does to the rows of a flow (contract flows-and-engine 3.6, 4). Runs inside the
 * transaction that holds the flow's lock, so that edits follow one another.
 */
final class FlowChanges {
    private final FlowStore store;
    private final FlowValidator validator;
    private final PublishCheck publishCheck;
    private final TriggerGate triggers;
    private final boolean enableOnPublish;

    FlowChanges(
            FlowStore store,
            FlowValidator validator,
            PublishCheck publishCheck,
            TriggerGate triggers,
            boolean enableOnPublish) {
        this.store = store;
        this.validator = validator;
        this.publishCheck = publishCheck;
        this.triggers = triggers;
        this.enableOnPublish = enableOnPublish;
    }

    /**
     * What an operation made of a flow.
     *
     * @param refusedAfterwards what the caller is told although something was changed: a flow whose trigger cannot be
     *     enabled is published all the same (4.16); null when all went well
     */
    record Change(Populated populated, ApiException refusedAfterwards) {
        static Change of(Flow flow, FlowVersion version) {
            return new Change(new Populated(flow, version), null);
        }
    }

    Future<Change> apply(Tx tx, Flow flow, FlowOperation operation, FlowEditor.Context context) {
        return switch (operation) {
            case FlowEdit edit -> editFlow(tx, flow, edit, context);
            case NoteEdit edit -> editLatest(tx, flow, edit, context);
            case TreeEdit edit -> editDraft(tx, flow, edit, context);
            case StoredEdit edit -> editFromStored(tx, flow, edit, context);
            case Publishing publishing -> publish(tx, flow, publishing, context);
        };
    }

    private Future<Change> editFlow(Tx tx, Flow flow, FlowEdit edit, FlowEditor.Context context) {
        var changed = switch (edit) {
            case FlowOperation.ChangeFolder(var folderId) -> {
                if (folderId.or(null) != null) {
                    throw ApiException.notFound("folder", folderId.or(null));
                }
                yield flow.inFolder(folderId.or(flow.folderId()), context.now());
            }
            case FlowOperation.UpdateMetadata(var metadata) ->
                flow.described(metadata.or(flow.metadata()), context.now());
            case FlowOperation.UpdateMinutesSaved(var minutes) ->
                flow.saving(minutes.or(flow.timeSavedPerRun()), context.now());
            case FlowOperation.UpdateOwner(var ownerId) -> flow.ownedBy(ownerId, context.now());
        };
        return store.update(tx, changed).compose(_ -> latest(tx, changed)).map(version -> Change.of(changed, version));
    }

    private Future<Change> editLatest(Tx tx, Flow flow, NoteEdit edit, FlowEditor.Context context) {
        return latest(tx, flow).compose(version -> {
            var edited = FlowEditor.apply(version, edit, context.after(version));
            return store.updateVersion(tx, edited).map(Change.of(flow, edited));
        });
    }

    private Future<Change> editDraft(Tx tx, Flow flow, TreeEdit edit, FlowEditor.Context context) {
        var judged = validator.judge(edit);
        var touched = flow.changedAt(context.now());
        return draft(tx, flow, context).compose(draft -> {
            var edited = FlowEditor.apply(draft, judged, context.after(draft));
            return store.updateVersion(tx, edited)
                    .compose(_ -> store.update(tx, touched))
                    .map(Change.of(touched, edited));
        });
    }

    /** The draft; when the latest version is locked, a new one made from it (3.6). */
    private Future<FlowVersion> draft(Tx tx, Flow flow, FlowEditor.Context context) {
        return latest(tx, flow).compose(version -> {
            if (version.state() == VersionState.DRAFT) {
                return Future.succeededFuture(version);
            }
            var draft = FlowEditor.draftOf(version, Ids.next(), context.after(version));
            return store.insertVersion(tx, draft).map(draft);
        });
    }

    private Future<Change> editFromStored(Tx tx, Flow flow, StoredEdit edit, FlowEditor.Context context) {
        return switch (edit) {
            case FlowOperation.UseAsDraft(var versionId) ->
                store.findVersion(tx, versionId)
                        .map(found -> found.filter(version -> version.flowId().equals(flow.id()))
                                .orElseThrow(() -> ApiException.notFound("flow_version", versionId)))
                        .compose(version -> editDraft(tx, flow, FlowOperation.ImportFlow.of(version), context));
            case FlowOperation.SaveSampleData _ ->
                Future.failedFuture(ApiException.of(
                        ErrorCode.FLOW_OPERATION_INVALID, "SAVE_SAMPLE_DATA is not offered by this release"));
        };
    }

    private Future<Change> publish(Tx tx, Flow flow, Publishing publishing, FlowEditor.Context context) {
        return switch (publishing) {
            case FlowOperation.ChangeStatus(var status) -> changeStatus(tx, flow, status, context);
            case FlowOperation.LockAndPublish(var status) ->
                lockAndPublish(
                        tx, flow, status.orElse(enableOnPublish ? FlowStatus.ENABLED : FlowStatus.DISABLED), context);
        };
    }

    private Future<Change> changeStatus(Tx tx, Flow flow, FlowStatus wanted, FlowEditor.Context context) {
        if (flow.publishedVersionId() == null) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.FLOW_OPERATION_INVALID, "expected a published flow, found one that was never published"));
        }
        if (flow.status() == wanted) {
            return latest(tx, flow).map(version -> Change.of(flow, version));
        }
        var changed = flow.inStatus(wanted, context.now());
        return store.findVersion(tx, flow.publishedVersionId())
                .map(Optional::orElseThrow)
                .compose(published -> {
                    if (wanted == FlowStatus.ENABLED) {
                        triggers.refusal(published).ifPresent(reason -> {
                            throw refused(flow, published, reason);
                        });
                    }
                    return store.update(tx, changed);
                })
                .compose(_ -> latest(tx, changed))
                .map(latest -> Change.of(changed, latest));
    }

    /** Published even when the trigger cannot be enabled; the caller is told so, and the flow stays disabled (4.16). */
    private Future<Change> lockAndPublish(Tx tx, Flow flow, FlowStatus wanted, FlowEditor.Context context) {
        return latest(tx, flow).compose(version -> {
            publishCheck.check(version);
            var locked = version.state() == VersionState.LOCKED
                    ? version
                    : FlowEditor.apply(version, new FlowOperation.LockFlow(), context.after(version));
            var reason = wanted == FlowStatus.ENABLED ? triggers.refusal(locked) : Optional.<String>empty();
            var status = reason.isPresent() ? FlowStatus.DISABLED : wanted;
            var published = flow.publishing(locked.id(), status, context.now());
            return store.updateVersion(tx, locked)
                    .compose(_ -> store.update(tx, published))
                    .map(_ -> new Change(
                            new Populated(published, locked),
                            reason.map(text -> refused(published, locked, text)).orElse(null)));
        });
    }

    private static ApiException refused(Flow flow, FlowVersion version, String reason) {
        return ApiException.of(
                ErrorCode.TRIGGER_UPDATE_STATUS,
                Json.object()
                        .put("flowId", flow.id())
                        .put("flowVersionId", version.id())
                        .put("standardOutput", "")
                        .put("standardError", reason)
                        .put("message", reason));
    }

    private Future<FlowVersion> latest(Tx tx, Flow flow) {
        return store.findLatestVersion(tx, flow.id()).map(found -> found.orElseThrow());
    }
}
