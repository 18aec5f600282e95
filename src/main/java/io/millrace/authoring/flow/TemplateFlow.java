package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.OperationType;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.Note;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.List;

/**
 * A flow in a template: a version without data of its server (contract admin-api 6.1).
 *
 * @param json displayName, description, trigger, valid, schemaVersion, notes, and tests where it has any
 * @param pieces names of the pieces that it uses
 */
public record TemplateFlow(ObjectNode json, List<String> pieces) {
    private static final String SETTINGS = "settings";
    private static final String SAMPLE = "sampleData";
    private static final List<String> SAMPLE_FIELDS =
            List.of("sampleDataFileId", "sampleDataInputFileId", "lastTestDate");

    public TemplateFlow {
        pieces = List.copyOf(pieces);
    }

    /**
     * Parses a flow of any known schema and migrates it to the current one.
     *
     * @param place path of the flow in the request, for errors
     * @param now ISO-8601 time that its steps are dated with
     * @throws ApiException INVALID_INPUT that names every field in violation
     */
    public static TemplateFlow read(ObjectNode given, String place, String now) {
        var operation = Json.object().put("type", OperationType.IMPORT_FLOW.name());
        operation.set("request", dated(given, now));
        var flow = (FlowOperation.ImportFlow) parsed(operation, place);
        var fields = Fields.of(place, given).neverNull();
        fields.flag("valid");
        var json = Json.object()
                .put("displayName", flow.displayName())
                .put("description", fields.optionalText("description").orElse(""));
        var trigger = FlowEditor.dated(flow.steps(), now).toJson();
        keepSample(fields.inner("trigger"), trigger);
        json.set("trigger", trigger);
        json.put("valid", flow.steps().isValid()).put("schemaVersion", FlowVersion.SCHEMA_VERSION);
        json.set("notes", notes(flow.notes(), fields));
        flow.tests().filter(tests -> !tests.isEmpty()).ifPresent(tests -> putTests(json, tests));
        fields.done();
        return new TemplateFlow(json, FlowExport.pieces(flow.steps()));
    }

    /**
     * Adds a trigger date to the flow for the parser: the server sets it, so clients need not send one (seed, Trigger).
     */
    static ObjectNode dated(ObjectNode flow, String date) {
        if (!(flow.get("trigger") instanceof ObjectNode trigger) || trigger.has("lastUpdatedDate")) {
            return flow;
        }
        var dated = Json.object();
        dated.setAll(trigger);
        var copy = Json.object();
        copy.setAll(flow);
        return copy.set("trigger", dated.put("lastUpdatedDate", date));
    }

    /** An import drops the sample of its trigger; a stored template keeps it. */
    private static void keepSample(Fields given, ObjectNode trigger) {
        if (given.raw(SETTINGS).isObject() && trigger.path(SETTINGS) instanceof ObjectNode settings) {
            var step = given.inner(SETTINGS);
            if (!step.isAbsent(SAMPLE)) {
                var sample = step.inner(SAMPLE);
                var kept = settings.putObject(SAMPLE);
                SAMPLE_FIELDS.forEach(field -> sample.optionalText(field).ifPresent(text -> kept.put(field, text)));
            }
        }
    }

    /** The notes with their original owners, if given, and their original dates. */
    private static ArrayNode notes(List<Note> notes, Fields flow) {
        var kept = Json.array();
        for (var index = 0; index < notes.size(); index++) {
            var given = flow.element("notes", index, flow.raw("notes").path(index));
            kept.add(notes.get(index)
                    .stamped(
                            given.orNull().optionalText("ownerId").orElse(null),
                            given.text("createdAt"),
                            given.text("updatedAt"))
                    .toJson());
        }
        return kept;
    }

    static void putTests(ObjectNode flow, List<FlowTestCase> tests) {
        var list = flow.putArray("tests");
        tests.forEach(test -> list.add(test.toJson()));
    }

    /** Parses the operation; errors are reported at this path. */
    static FlowOperation parsed(ObjectNode operation, String place) {
        try {
            return FlowOperation.parse(operation);
        } catch (ApiException refused) {
            throw switch (refused.code()) {
                case INVALID_INPUT ->
                    ApiException.of(ErrorCode.INVALID_INPUT, refused.text().replace("body/request", place));
                case FLOW_OPERATION_INVALID ->
                    ApiException.of(ErrorCode.INVALID_INPUT, place + " Invalid input: " + refused.text());
                default -> refused;
            };
        }
    }
}
