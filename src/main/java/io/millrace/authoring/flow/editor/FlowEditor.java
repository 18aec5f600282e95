package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.FlowOperation.VersionEdit;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.step.TriggerStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.StepCopy;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Edits versions of flows (contract flows-and-engine 4): takes a version and an operation, and returns the next version
 * or a rejection without any effect.
 *
 * <p>Pure: time and acting user are parameters. The structural check (2.12, layer A) is part of parsing the operation;
 * the semantic check by {@link FlowValidator} precedes the edit. The service handles permissions, the choice of the
 * version and storage.
 */
public final class FlowEditor {
    /**
     * Acting user and time of an edit.
     *
     * @param user null for API keys: the version then keeps the user who changed it last
     */
    public record Context(Instant now, String user) {
        String time() {
            return Json.timestamp(now);
        }

        /**
         * The same context, at least one millisecond later than the version's last change. Times order versions and are
         * the precondition of edits, in the resolution of the API; the clock may not advance between two edits, and may
         * differ between nodes.
         */
        public Context after(FlowVersion version) {
            var soonest = version.updated().truncatedTo(ChronoUnit.MILLIS).plus(1, ChronoUnit.MILLIS);
            return now.isBefore(soonest) ? new Context(soonest, user) : this;
        }
    }

    private FlowEditor() {}

    /** The version after the operation, with all data derived from its steps recomputed (4.3). */
    public static FlowVersion apply(FlowVersion version, VersionEdit edit, Context context) {
        if (edit instanceof FlowOperation.TreeEdit && version.state() == VersionState.LOCKED) {
            throw StepTree.refusal("expected a draft, found a locked version");
        }
        var edited = edited(version, edit, context);
        return edited.with(edited.steps().bounded()).settled(context.now(), context.user());
    }

    /**
     * New draft from a locked version (3.6): equal to it, including sample data and notes.
     *
     * @param id of the new version
     */
    public static FlowVersion draftOf(FlowVersion locked, String id, Context context) {
        return new FlowVersion(
                        id,
                        context.now(),
                        context.now(),
                        locked.flowId(),
                        locked.displayName(),
                        dated(locked.steps(), context.time()),
                        locked.updatedBy(),
                        locked.valid(),
                        locked.schemaVersion(),
                        locked.agentIds(),
                        locked.connectionIds(),
                        VersionState.DRAFT,
                        null,
                        locked.notes())
                .settled(context.now(), context.user());
    }

    /** The same version with a sample from a test of a step; no derived data changes. */
    public static FlowVersion recorded(FlowVersion version, FlowOperation.RecordSampleData sample, Instant now) {
        return version.with(SampleDataEditor.recorded(version.steps(), sample, Json.timestamp(now)));
    }

    private static FlowVersion edited(FlowVersion version, VersionEdit edit, Context context) {
        return switch (edit) {
            case FlowOperation.ChangeName(var displayName) -> version.named(displayName);
            case FlowOperation.LockFlow() -> version.locked();
            case FlowOperation.ImportFlow imported -> imported(version, imported, context);
            case FlowOperation.NoteEdit notes -> NoteEditor.apply(version, notes, context);
            case FlowOperation.TreeEdit tree -> version.with(edited(version.steps(), tree, context.time()));
        };
    }

    private static StepTree edited(StepTree tree, FlowOperation.TreeEdit edit, String now) {
        return switch (edit) {
            case FlowOperation.ChangeName _, FlowOperation.LockFlow _, FlowOperation.ImportFlow _ ->
                throw new IllegalStateException("an edit of the version reached the edits of its steps");
            case FlowOperation.UpdateTrigger(var trigger) -> updated(tree, trigger, now);
            case FlowOperation.AddAction add -> added(tree, add, now);
            case FlowOperation.UpdateAction(var action) -> updated(tree, action, now);
            case FlowOperation.DeleteAction(var names) -> tree.remove(Set.copyOf(names));
            case FlowOperation.MoveAction move -> moved(tree, move, now);
            case FlowOperation.DuplicateAction(var stepName) -> duplicated(tree, stepName, now);
            case FlowOperation.SetSkipAction skip -> skipped(tree, skip, now);
            case FlowOperation.AddBranch add -> BranchEditor.added(tree, add, now);
            case FlowOperation.DeleteBranch delete -> BranchEditor.deleted(tree, delete, now);
            case FlowOperation.DuplicateBranch duplicate -> BranchEditor.duplicated(tree, duplicate, now);
            case FlowOperation.MoveBranch move -> BranchEditor.moved(tree, move, now);
            case FlowOperation.UpdateSampleDataInfo(var stepName, var fileIds) ->
                SampleDataEditor.updated(tree, stepName, fileIds, now);
            case FlowOperation.RecordSampleData sample -> SampleDataEditor.recorded(tree, sample, now);
        };
    }

    /** Adds an action; no effect when the parent does not exist (4.3, decision 0406). */
    private static StepTree added(StepTree tree, FlowOperation.AddAction add, String now) {
        var action = add.action();
        return tree.insert(
                add.parentStep(),
                add.placement(),
                add.branchIndex(),
                action.with(action.base().changedAt(now)));
    }

    /** Replaces name, trigger, actions and notes (4.13); the trigger keeps sample data as UPDATE_TRIGGER does. */
    private static FlowVersion imported(FlowVersion version, FlowOperation.ImportFlow imported, Context context) {
        var emptied = new StepTree(version.steps().trigger(), List.of());
        var tree = updated(emptied, imported.steps().trigger(), context.time());
        var dated = dated(new StepTree(tree.trigger(), imported.steps().actions()), context.time());
        return version.named(imported.displayName())
                .with(dated)
                .noted(imported.notes().stream()
                        .map(note -> note.stamped(context.user(), context.time(), context.time()))
                        .toList());
    }

    /** Every step as if newly added: dated, and routers rebuilt (4.6, 4.9). */
    public static StepTree dated(StepTree tree, String now) {
        var trigger = tree.trigger();
        return tree.with(trigger.with(trigger.base().changedAt(now)))
                .change(_ -> true, action -> rebuilt(action.with(action.base().changedAt(now))));
    }

    private static ActionStep rebuilt(ActionStep action) {
        return action instanceof RouterStep router ? router.rebuilt() : action;
    }

    private static StepTree updated(StepTree tree, TriggerStep requested, String now) {
        var old = tree.trigger();
        if (!old.name().equals(requested.name())) {
            if (tree.findAction(requested.name()).isPresent()) {
                throw StepTree.refusal("expected the name of the trigger, found the action " + requested.name());
            }
            throw stepNotFound(requested.name());
        }
        var settings = old instanceof PieceTriggerStep
                ? SampleDataEditor.keep(old.settings(), requested.settings())
                : requested.settings();
        return tree.with(requested.with(requested.base().changedAt(now), settings));
    }

    private static StepTree updated(StepTree tree, ActionStep requested, String now) {
        if (tree.trigger().name().equals(requested.name())) {
            throw StepTree.refusal("expected the name of an action, found the trigger " + requested.name());
        }
        return tree.change(action -> action.name().equals(requested.name()), action -> updated(action, requested, now));
    }

    /** Merges the settings of a step; the kept parts depend on the old and the new type (4.7). */
    private static ActionStep updated(ActionStep old, ActionStep requested, String now) {
        var settings = old.type() == requested.type()
                ? SampleDataEditor.keep(old.settings(), requested.settings())
                : requested.settings();
        var base = requested.base().changedAt(now);
        var kept = keepsSequences(old, requested) ? old.sequences() : requested.sequences();
        return requested.with(base, settings, kept);
    }

    private static boolean keepsSequences(ActionStep old, ActionStep requested) {
        return switch (requested) {
            case CodeStep _, PieceStep _ -> old instanceof CodeStep || old instanceof PieceStep;
            case LoopStep _ -> old instanceof LoopStep;
            case RouterStep _ -> old instanceof RouterStep;
        };
    }

    private static StepTree moved(StepTree tree, FlowOperation.MoveAction move, String now) {
        var source = tree.findAction(move.name()).orElseThrow(() -> stepNotFound(move.name()));
        if (tree.find(move.newParentStep()).isEmpty()) {
            throw stepNotFound(move.newParentStep());
        }
        var subtree = new StepTree(tree.trigger(), List.of(source));
        if (subtree.findAction(move.newParentStep()).isPresent()) {
            throw StepTree.refusal("expected a new parent outside step " + move.name() + ", found "
                    + move.newParentStep() + " within it");
        }
        var dated = dated(subtree, now).actions().getFirst();
        return tree.remove(Set.of(move.name()))
                .insert(move.newParentStep(), move.placement(), move.branchIndex(), dated);
    }

    private static StepTree duplicated(StepTree tree, String name, String now) {
        var original = tree.findAction(name).orElseThrow(() -> stepNotFound(name));
        return tree.insertAfter(name, StepCopy.of(original, tree.names(), now));
    }

    private static StepTree skipped(StepTree tree, FlowOperation.SetSkipAction skip, String now) {
        var names = new HashSet<>(skip.names());
        return tree.change(
                action -> names.contains(action.name()),
                action -> action.with(action.base().skipped(skip.skip()).changedAt(now)));
    }

    public static ApiException stepNotFound(String name) {
        ObjectNode params = Json.object()
                .put("entityType", "step")
                .put("entityId", name)
                .put("message", "expected a step named " + name + ", found none");
        return ApiException.of(ErrorCode.ENTITY_NOT_FOUND, params);
    }
}
