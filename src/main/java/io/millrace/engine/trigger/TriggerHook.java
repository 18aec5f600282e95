package io.millrace.engine.trigger;

import io.millrace.authoring.flow.editor.PieceFinder;
import io.millrace.authoring.flow.step.EmptyTrigger;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.TriggerStep;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.input.PropertyProcessor;
import io.millrace.sandbox.expression.InputTemplate;

/** Compiled trigger of a flow version: its piece is resolved, its input is parsed. Immutable. */
public sealed interface TriggerHook {
    record OfPiece(
            PieceTrigger trigger,
            InputTemplate input,
            PropertyProcessor processor,
            String pieceName,
            String pieceVersion,
            String stepName)
            implements TriggerHook {}

    /** The trigger cannot run; the message gives the reason. */
    record Missing(String message) implements TriggerHook {}

    static TriggerHook compile(TriggerStep step, PieceScope scope, PieceFinder pieces) {
        return switch (step) {
            case EmptyTrigger _ -> new Missing("the flow has no trigger");
            case PieceTriggerStep piece -> compile(piece, scope, pieces);
        };
    }

    private static TriggerHook compile(PieceTriggerStep step, PieceScope scope, PieceFinder pieces) {
        var name = step.pieceName().orElse("");
        var version = step.pieceVersion().orElse("");
        var piece = pieces.find(scope, name, version);
        if (piece.isEmpty()) {
            return new Missing("the trigger's piece " + name + " " + version + " is not installed");
        }
        var triggerName = step.triggerName().orElse("(none)");
        var trigger = piece.get().triggers().get(triggerName);
        if (trigger == null) {
            return new Missing("piece " + name + " " + version + " has no trigger " + triggerName);
        }
        var processor = PropertyProcessor.compile(
                trigger.spec().props(), step.settings().path("propertySettings"));
        return new OfPiece(
                trigger,
                InputTemplate.compile(step.input()),
                trigger.spec().requireAuth()
                        ? processor.withAuth(piece.get().spec().auth())
                        : processor,
                name,
                version,
                step.name());
    }
}
