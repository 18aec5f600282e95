package io.millrace.authoring.upgrade;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.base.core.Json;
import io.millrace.piece.catalogue.PieceChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Effect of another piece version on a step. Pure.
 *
 * @param part name of the action or trigger
 * @param possible true if the other version has that part
 * @param hints points for the author to check
 * @param operation the edit of the draft, in its wire form
 */
record StepUpgrade(String step, String part, boolean possible, List<Hint> hints, ObjectNode operation) {
    enum Reason {
        /** The step sets a removed property. */
        UNUSED,
        /** The step lacks a property that became required. */
        MISSING,
        /** The step sets a property whose type changed. */
        OTHER_TYPE,
        /** The piece accepts different credentials. */
        AUTH
    }

    record Hint(String property, Reason reason) {}

    StepUpgrade {
        hints = List.copyOf(hints);
    }

    /** Empty when the step has another piece or another version of it. */
    static Optional<StepUpgrade> of(Step step, PieceChanges changes) {
        return switch (step) {
            case PieceStep piece
            when isPinned(piece.pieceName(), piece.pieceVersion(), changes) ->
                piece.actionName().map(part -> of(piece, false, part, changes));
            case PieceTriggerStep piece
            when isPinned(piece.pieceName(), piece.pieceVersion(), changes) ->
                piece.triggerName().map(part -> of(piece, true, part, changes));
            default -> Optional.empty();
        };
    }

    private static boolean isPinned(Optional<String> name, Optional<String> version, PieceChanges changes) {
        return name.filter(changes.name()::equals).isPresent()
                && version.map(text -> text.replaceFirst("^[~^]", ""))
                        .filter(changes.from()::equals)
                        .isPresent();
    }

    private static StepUpgrade of(Step step, boolean isTrigger, String part, PieceChanges changes) {
        var changed = changes.part(isTrigger, part);
        var isGone = changed.filter(found -> found.kind() == PieceChanges.Kind.REMOVED)
                .isPresent();
        var hints = new ArrayList<Hint>();
        // Steps of a piece without authentication, or with credentials in the input, have no connection yet.
        if (changes.authChanged()) {
            hints.add(new Hint("auth", Reason.AUTH));
        }
        var properties = changed.map(PieceChanges.Part::properties).orElse(List.of());
        properties.forEach(property ->
                reason(property, step.input()).ifPresent(reason -> hints.add(new Hint(property.name(), reason))));
        return new StepUpgrade(step.name(), part, !isGone, hints, operation(step, isTrigger, changes.to(), properties));
    }

    private static Optional<Reason> reason(PieceChanges.ChangedProperty property, JsonNode input) {
        var isGiven = input.hasNonNull(property.name());
        return switch (property.change()) {
            case ADDED -> Optional.empty();
            case ADDED_REQUIRED, NOW_REQUIRED -> isGiven ? Optional.empty() : Optional.of(Reason.MISSING);
            case REMOVED -> isGiven ? Optional.of(Reason.UNUSED) : Optional.empty();
            case OTHER_TYPE -> isGiven ? Optional.of(Reason.OTHER_TYPE) : Optional.empty();
        };
    }

    private static ObjectNode operation(
            Step step, boolean isTrigger, String version, List<PieceChanges.ChangedProperty> properties) {
        var settings = step.settings().deepCopy().put("pieceVersion", version);
        // A required list may be empty, but not absent (contract flows-and-engine 2.12).
        properties.stream()
                .filter(property -> property.isList() && property.change() == PieceChanges.Change.ADDED)
                .forEach(property -> settings.withObject("/input").set(property.name(), Json.array()));
        var operation = Json.object().put("type", isTrigger ? "UPDATE_TRIGGER" : "UPDATE_ACTION");
        var request = operation
                .putObject("request")
                .put("name", step.name())
                .put("displayName", step.displayName())
                .put("type", step.type().name())
                .put("valid", step.valid());
        if (step.base().skip() != null) {
            request.put("skip", step.base().skip());
        }
        request.set("settings", settings);
        return operation;
    }

    ObjectNode toJson() {
        var json = Json.object().put("step", step).put("part", part).put("possible", possible);
        var list = json.putArray("hints");
        hints.forEach(hint -> list.addObject()
                .put("property", hint.property())
                .put("reason", hint.reason().name()));
        return json;
    }
}
