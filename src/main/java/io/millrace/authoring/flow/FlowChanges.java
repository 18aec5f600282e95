package io.millrace.authoring.flow;

import io.millrace.authoring.flow.Flows.FlowWithVersion;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowOperation.FlowEdit;
import io.millrace.authoring.flow.editor.FlowOperation.NoteEdit;
import io.millrace.authoring.flow.editor.FlowOperation.Publishing;
import io.millrace.authoring.flow.editor.FlowOperation.StoredEdit;
import io.millrace.authoring.flow.editor.FlowOperation.TreeEdit;
import io.millrace.authoring.flow.editor.FlowOperation.VersionEdit;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.editor.FlowValidator;
import io.millrace.authoring.flow.testcase.FlowTestLimits;
import io.millrace.authoring.flow.testcase.FlowTestStore;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.authoring.folder.FolderPlaces;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Row updates for each group of edits of a flow (contract flows-and-engine 3.6, 4). Runs inside the transaction that
 * holds the flow's lock, so that edits are serialized. Publishing is handled by {@link FlowPublishing}.
 */
final class FlowChanges {
    private final FlowStore store;
    private final VersionStore versions;
    private final FlowValidator validator;
    private final FolderPlaces folders;
    private final RowBound bound;
    private final VersionUpgrade upgrade;
    private final SampleFiles samples;
    private final FlowTestStore tests = new FlowTestStore();
    private final FlowTestLimits testLimits;

    FlowChanges(
            FlowStore store,
            VersionStore versions,
            FlowValidator validator,
            VersionUpgrade upgrade,
            SampleFiles samples,
            FlowTestLimits testLimits,
            RowBound bound) {
        this.store = store;
        this.versions = versions;
        this.validator = validator;
        this.upgrade = upgrade;
        this.samples = samples;
        this.testLimits = testLimits;
        this.folders = new FolderPlaces(bound);
        this.bound = bound;
    }

    /**
     * Result of an operation.
     *
     * @param refusedAfterwards error for the caller although the flow was changed: a flow whose trigger cannot be
     *     enabled is published nevertheless (4.16); null on success
     */
    record Change(FlowWithVersion populated, ApiException refusedAfterwards) {
        static Change of(Flow flow, FlowVersion version) {
            return new Change(new FlowWithVersion(flow, version), null);
        }
    }

    record ChangeResult(FlowStatus before, Change change) {}

    Future<Change> apply(Tx tx, Flow flow, FlowOperation operation, FlowEditor.Context context) {
        if (flow.operationStatus() == OperationStatus.DELETING) {
            return Future.failedFuture(busy());
        }
        return switch (operation) {
            case FlowEdit edit -> editFlow(tx, flow, edit, context);
            case NoteEdit edit -> editLatest(tx, flow, edit, context);
            case TreeEdit edit -> editDraft(tx, flow, edit, context);
            case StoredEdit edit -> editFromStored(tx, flow, edit, context);
            case Publishing _ -> throw new IllegalArgumentException("publishing is not an edit");
        };
    }

    static ApiException busy() {
        return ApiException.of(ErrorCode.FLOW_OPERATION_IN_PROGRESS, "the flow is being deleted");
    }

    private Future<Change> editFlow(Tx tx, Flow flow, FlowEdit edit, FlowEditor.Context context) {
        var changed = switch (edit) {
            case FlowOperation.ChangeFolder(var folderId) -> flow.inFolder(folderId.or(flow.folderId()), context.now());
            case FlowOperation.UpdateMetadata(var metadata) ->
                flow.described(metadata.or(flow.metadata()), context.now());
            case FlowOperation.UpdateMinutesSaved(var minutes) ->
                flow.saving(minutes.or(flow.timeSavedPerRun()), context.now());
            case FlowOperation.UpdateOwner(var ownerId) -> flow.ownedBy(ownerId, context.now());
        };
        return folderChecked(tx, changed)
                .compose(_ -> store.update(tx, changed))
                .compose(_ -> upgrade.latest(tx, changed))
                .map(version -> Change.of(changed, version));
    }

    private Future<Void> folderChecked(Tx tx, Flow flow) {
        return flow.folderId() == null
                ? Future.succeededFuture()
                : folders.hold(tx, flow.projectId(), flow.folderId()).mapEmpty();
    }

    /** Creates a flow with an empty draft, in the requested folder: the id takes precedence over the name (3.1). */
    Future<FlowWithVersion> create(Tx tx, Flow flow, String displayName, Optional<String> folderName) {
        var version = FlowVersion.empty(Ids.next(), flow.id(), displayName, flow.created());
        return folders.find(tx, flow.projectId(), Optional.ofNullable(flow.folderId()), folderName, flow.created())
                .map(folderId -> flow.inFolder(folderId.orElse(null), flow.updated()))
                .compose(placed -> bound.begin(tx, "flows", "project", flow.projectId())
                        .compose(addition -> store.insert(tx, placed)
                                .compose(_ -> versions.insert(tx, version))
                                .compose(_ ->
                                        store.count(tx, new Flows.Count(flow.projectId(), Optional.empty(), false)))
                                .compose(addition::check))
                        .map(new FlowWithVersion(placed, version)));
    }

    private Future<Change> editLatest(Tx tx, Flow flow, NoteEdit edit, FlowEditor.Context context) {
        return upgrade.latest(tx, flow).compose(version -> {
            var edited = FlowEditor.apply(version, edit, context.after(version));
            return versions.update(tx, edited).map(Change.of(flow, edited));
        });
    }

    private Future<Change> editDraft(Tx tx, Flow flow, TreeEdit edit, FlowEditor.Context context) {
        return store.findPieceScope(tx, flow.id())
                .map(scope -> validator.judge(scope.orElseThrow(), edit))
                .compose(judged ->
                        draft(tx, flow, context).compose(draft -> editDraft(tx, flow, draft, judged, context)))
                .compose(change -> importTests(tx, flow, edit, context).map(change));
    }

    /** Replaces the tests of a flow by those of an import that has any list of them. */
    private Future<Void> importTests(Tx tx, Flow flow, TreeEdit edit, FlowEditor.Context context) {
        return edit instanceof FlowOperation.ImportFlow imported
                        && imported.tests().isPresent()
                ? tests.replace(tx, flow.id(), imported.tests().get(), testLimits, context.now())
                : Future.succeededFuture();
    }

    private Future<Change> editDraft(
            Tx tx, Flow flow, FlowVersion draft, VersionEdit edit, FlowEditor.Context context) {
        var touched = flow.changedAt(context.now());
        var edited = FlowEditor.apply(draft, edit, context.after(draft));
        return versions.update(tx, edited)
                .compose(_ -> store.update(tx, touched))
                .map(Change.of(touched, edited));
    }

    /** The draft; when the latest version is locked, a new one made from it (3.6). */
    private Future<FlowVersion> draft(Tx tx, Flow flow, FlowEditor.Context context) {
        return upgrade.latest(tx, flow).compose(version -> {
            if (version.state() == VersionState.DRAFT) {
                return Future.succeededFuture(version);
            }
            var draft = FlowEditor.draftOf(version, Ids.next(), context.after(version));
            return versions.insert(tx, draft).map(draft);
        });
    }

    private Future<Change> editFromStored(Tx tx, Flow flow, StoredEdit edit, FlowEditor.Context context) {
        return switch (edit) {
            case FlowOperation.UseAsDraft(var versionId) ->
                versions.find(tx, versionId)
                        .map(found -> found.filter(version -> version.flowId().equals(flow.id()))
                                .orElseThrow(() -> ApiException.notFound("flow_version", versionId)))
                        .compose(version -> editDraft(tx, flow, FlowOperation.ImportFlow.of(version), context));
            case FlowOperation.SaveSampleData save ->
                draft(tx, flow, context)
                        .compose(draft -> samples.keep(tx, flow.projectId(), draft, save, context.now())
                                .compose(fileId -> editDraft(tx, flow, draft, save.recordedAs(fileId), context)));
        };
    }
}
