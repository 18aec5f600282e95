package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.FlowOperation.VersionEdit;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.RouterSchema;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.step.TriggerStep;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.property.Property;
import java.util.Map;
import java.util.Optional;

/**
 * Validates the steps of ADD_ACTION, UPDATE_ACTION and UPDATE_TRIGGER before they are applied (contract
 * flows-and-engine 2.12, layer B): sets their {@code valid} and cleans their input by the properties of the piece they
 * name. Other operations pass unchanged.
 */
public final class FlowValidator {
    private final PieceFinder pieces;

    public FlowValidator(PieceFinder pieces) {
        this.pieces = pieces;
    }

    public StepProblems problems() {
        return new StepProblems(pieces);
    }

    /** The same operation with its step validated. Fails with ENTITY_NOT_FOUND for a piece outside the scope. */
    public VersionEdit judge(PieceScope scope, VersionEdit edit) {
        return switch (edit) {
            case FlowOperation.AddAction add ->
                new FlowOperation.AddAction(
                        add.parentStep(), add.placement(), add.branchIndex(), judged(scope, add.action()));
            case FlowOperation.UpdateAction(var action) -> new FlowOperation.UpdateAction(judged(scope, action));
            case FlowOperation.UpdateTrigger(var trigger) -> new FlowOperation.UpdateTrigger(judged(scope, trigger));
            case FlowOperation.TreeEdit other -> other;
            case FlowOperation.NoteEdit other -> other;
        };
    }

    private ActionStep judged(PieceScope scope, ActionStep action) {
        return switch (action) {
            case LoopStep loop -> marked(loop, !loop.items().isEmpty());
            case RouterStep router -> marked(router, RouterSchema.hasCompleteConditions(router.settings()));
            case CodeStep code ->
                marked(code, !code.code().isEmpty() && !code.packageJson().isEmpty());
            case PieceStep piece -> judged(scope, piece);
        };
    }

    private static ActionStep marked(ActionStep action, boolean valid) {
        return action.with(action.base().validated(valid));
    }

    private ActionStep judged(PieceScope scope, PieceStep step) {
        var piece = piece(scope, step.pieceName(), step.pieceVersion());
        var action = step.actionName().map(name -> piece.actions().get(name));
        if (action.isEmpty()) {
            return marked(step, false);
        }
        var spec = action.get().spec();
        var schema = schemaOf(piece, spec.props(), spec.requireAuth());
        var input = step.input() instanceof ObjectNode fields ? action.get().underCurrentNames(fields) : step.input();
        return step.with(
                step.base().validated(schema.accepts(input)),
                withInput(step.settings(), schema.cleaned(input)),
                step.sequences());
    }

    /** The cleaned input of a trigger is kept only when it is valid; that of an action always (2.12). */
    private TriggerStep judged(PieceScope scope, TriggerStep trigger) {
        if (!(trigger instanceof PieceTriggerStep step)) {
            return trigger.with(trigger.base().validated(false));
        }
        var piece = piece(scope, step.pieceName(), step.pieceVersion());
        var schema = step.triggerName()
                .map(name -> piece.triggers().get(name))
                .map(found -> schemaOf(piece, found.spec().props(), found.spec().requireAuth()));
        if (schema.isEmpty() || !schema.get().accepts(step.input())) {
            return step.with(step.base().validated(false));
        }
        return step.with(
                step.base().validated(true),
                withInput(step.settings(), schema.get().cleaned(step.input())));
    }

    private static InputSchema schemaOf(Piece piece, Map<String, Property> properties, boolean requireAuth) {
        return new InputSchema(properties, asksAuth(piece, requireAuth));
    }

    static boolean asksAuth(Piece piece, boolean requireAuth) {
        return requireAuth && piece.spec().auth() != null;
    }

    private static ObjectNode withInput(ObjectNode settings, ObjectNode input) {
        var changed = settings.deepCopy();
        changed.set("input", input);
        return changed;
    }

    private Piece piece(PieceScope scope, Optional<String> name, Optional<String> version) {
        var found = name.flatMap(known -> version.flatMap(exact -> pieces.find(scope, known, exact)));
        return found.orElseThrow(() -> pieceNotFound(name.orElse(""), version.orElse("")));
    }

    private static ApiException pieceNotFound(String name, String version) {
        return ApiException.of(
                ErrorCode.ENTITY_NOT_FOUND,
                Json.object()
                        .put("entityType", "piece_metadata")
                        .put("entityId", name)
                        .put("message", "expected the piece " + name + " at version " + version + ", found none"));
    }
}
