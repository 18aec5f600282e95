package io.millrace.workspace.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.Optional;

/** Requested changes of a project; empty or kept properties stay unchanged (contract admin-api 3.3). */
public record ProjectChanges(
        Optional<String> displayName,
        Optional<IconColor> icon,
        Optional<String> externalId,
        FieldChange<JsonNode> metadata,
        Rules rules,
        PieceFilter pieceFilter,
        FieldChange<Integer> maxConcurrentJobs,
        Optional<List<String>> globalConnectionExternalIds) {
    public record Rules(Optional<Boolean> releasesEnabled, Optional<Boolean> flowTestsRequired) {}

    public record PieceFilter(Optional<PiecesFilterType> type, Optional<List<String>> pieces) {}

    private static final String PLAN = "plan";
    private static final String ICON = "icon";

    /** Reads a body; violations are recorded in its fields. A blank external id is ignored; only the limit can be null. */
    static ProjectChanges read(Fields body) {
        var plan = Optional.of(PLAN).filter(body::has).map(body::inner);
        var icon = Optional.of(ICON).filter(body::has).map(body::inner);
        return new ProjectChanges(
                body.optionalName("displayName", NewProject.DISPLAY_NAME),
                icon.map(fields -> fields.option("color", IconColor.class)),
                body.optionalName("externalId").filter(text -> !text.isBlank()),
                metadata(body.changedObject("metadata")),
                new Rules(body.optionalFlag("releasesEnabled"), body.optionalFlag("flowTestsRequired")),
                new PieceFilter(
                        plan.flatMap(fields -> fields.optionalOption("piecesFilterType", PiecesFilterType.class)),
                        plan.flatMap(fields -> fields.optionalTexts("pieces"))),
                body.orNull().changedInteger("maxConcurrentJobs", 1, Integer.MAX_VALUE),
                NewProject.globalConnections(body));
    }

    boolean namesPlan() {
        return pieceFilter.type().isPresent() || pieceFilter.pieces().isPresent();
    }

    private static FieldChange<JsonNode> metadata(FieldChange<ObjectNode> change) {
        return switch (change) {
            case FieldChange.Keep<ObjectNode> _ -> FieldChange.keep();
            case FieldChange.To<ObjectNode>(var object) -> FieldChange.to(object);
        };
    }
}
