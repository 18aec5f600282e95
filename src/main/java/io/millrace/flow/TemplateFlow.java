package io.millrace.flow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Json;
import java.util.List;

/**
 * A flow inside a template: a version without anything of its server (contract admin-api 6.1).
 *
 * @param json displayName, description, trigger, valid, schemaVersion and notes
 * @param pieces names of the pieces that it uses
 */
public record TemplateFlow(ObjectNode json, List<String> pieces) {
    public TemplateFlow {
        pieces = List.copyOf(pieces);
    }

    /**
     * Reads a flow of any known schema and brings it to the schema of today.
     *
     * @param place of the flow in the request, for refusals
     * @param now ISO-8601 time that its steps and notes are dated with
     * @throws ApiException INVALID_INPUT that names every field in violation
     */
    public static TemplateFlow read(ObjectNode given, String place, String now) {
        var operation = Json.object().put("type", OperationType.IMPORT_FLOW.name());
        operation.set("request", given);
        var flow = (FlowOperation.ImportFlow) parsed(operation, place);
        var json = Json.object()
                .put("displayName", flow.displayName())
                .put("description", given.path("description").asText(""));
        json.set("trigger", FlowEditor.dated(flow.steps(), now).toJson());
        json.put("valid", flow.steps().isValid()).put("schemaVersion", FlowVersion.SCHEMA_VERSION);
        var notes = json.putArray("notes");
        flow.notes().forEach(note -> notes.add(note.stamped(null, now, now).toJson()));
        return new TemplateFlow(json, FlowExport.pieces(flow.steps()));
    }

    /** The operation; what is wrong with it is told at this place. */
    static FlowOperation parsed(ObjectNode operation, String place) {
        try {
            return FlowOperation.parse(operation);
        } catch (ApiException refused) {
            throw refused.code() == ErrorCode.INVALID_INPUT
                    ? ApiException.of(ErrorCode.INVALID_INPUT, refused.text().replace("body/request", place))
                    : refused;
        }
    }
}
