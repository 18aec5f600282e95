package io.millrace.authoring.importer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.GeneratedWorkflow;
import io.millrace.authoring.importer.n8n.ImportSamples;
import io.millrace.authoring.importer.n8n.WorkflowTranslator;
import io.millrace.base.core.Json;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Steps of imported workflows compared with the descriptions of their pieces, and generated workflows on a server. */
@Slow(Slow.Reason.DURATION)
class ImportedStepsIT {
    private static final int GENERATED = Integer.getInteger("n8n.imported", 60);
    private static final int BATCH = 20;
    private static final int TRANSLATED = 300;

    /** Pieces that neither the server nor its catalogue describes: the report of each node names the package to install. */
    private static final Set<String> UNDESCRIBED = Set.of("@activepieces/piece-postgres");

    @AutoClose
    private static TestServer server =
            TestServer.start(Map.of("AP_IMPORT_NODES_MAX", "1000", "AP_IMPORT_WORKFLOWS_MAX", "100"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static Map<String, JsonNode> pieces = new HashMap<>();

    @Test
    void nameActionsAndPropertiesThatThePiecesHave() {
        // Given
        var translator = new WorkflowTranslator(2_000, "2026-01-05T10:20:30.123Z");
        var steps = new ArrayList<JsonNode>();
        ImportSamples.all()
                .forEach(workflow -> translator
                        .translate(workflow)
                        .flows()
                        .forEach(flow -> collect(flow.template().path("trigger"), steps)));
        for (var seed = 0; seed < TRANSLATED; seed++) {
            translator
                    .translate(GeneratedWorkflow.of(seed))
                    .flows()
                    .forEach(flow -> collect(flow.template().path("trigger"), steps));
        }

        // Then
        var faults = new TreeSet<String>();
        steps.forEach(step -> check(step.path("settings"), faults));
        assertThat(steps).hasSizeGreaterThan(500);
        assertThat(pieces.values().stream().filter(JsonNode::isObject)).hasSizeGreaterThan(15);
        assertThat(faults).isEmpty();
    }

    /** Problem of a constant value; a value with a token is computed when the step runs. */
    private static boolean isOfType(JsonNode prop, JsonNode value) {
        if (value.isNull() || value.isTextual() && value.textValue().contains("{{")) {
            return true;
        }
        return switch (prop.path("type").asText()) {
            case "STATIC_DROPDOWN" ->
                prop.at("/options/options")
                        .valueStream()
                        .anyMatch(option -> option.path("value").equals(value));
            case "CHECKBOX" -> value.isBoolean();
            case "NUMBER" -> value.isNumber() || value.asText().matches("-?\\d+(\\.\\d+)?");
            case "ARRAY" -> value.isArray();
            case "OBJECT", "DYNAMIC" -> value.isObject();
            default -> true;
        };
    }

    private static void check(JsonNode settings, Set<String> faults) {
        var name = settings.path("pieceName").asText();
        var version = settings.path("pieceVersion").asText();
        var kind = settings.has("triggerName") ? "trigger" : "action";
        var part = settings.path(kind + "Name").asText();
        var where = name + "@" + version + " " + part;
        var piece = pieces.computeIfAbsent(name + "@" + version, _ -> described(name, version));
        if (piece.isMissingNode()) {
            if (!UNDESCRIBED.contains(name)) {
                faults.add(where + ": the piece is unknown");
            }
            return;
        }
        var props = piece.path(kind + "s").path(part).path("props");
        if (props.isMissingNode()) {
            faults.add(where + ": the piece has no such " + kind);
            return;
        }
        var input = settings.path("input");
        input.fieldNames().forEachRemaining(field -> {
            if (!props.has(field) && !field.equals("auth")) {
                faults.add(where + ": unknown property " + field);
            } else if (!isOfType(props.path(field), input.path(field))) {
                faults.add(where + ": the property " + field + " of type "
                        + props.path(field).path("type").asText() + " has the value " + input.path(field));
            }
        });
        props.properties().forEach(prop -> {
            var isRequired = prop.getValue().path("required").asBoolean()
                    && !prop.getValue().hasNonNull("defaultValue")
                    && !prop.getValue().path("type").asText().equals("MARKDOWN");
            if (isRequired && !input.hasNonNull(prop.getKey()) && kind.equals("action")) {
                faults.add(where + ": the required property " + prop.getKey() + " is missing");
            }
        });
    }

    private static JsonNode described(String name, String version) {
        var answer = ada.api().get("/v1/pieces/" + name + "?version=" + version);
        return answer.status() == 200 ? answer.body() : MissingNode.getInstance();
    }

    private static void collect(JsonNode step, List<JsonNode> steps) {
        var pending = new ArrayList<JsonNode>(List.of(step));
        while (!pending.isEmpty()) {
            var next = pending.removeLast();
            if (next.path("settings").has("pieceName")) {
                steps.add(next);
            }
            pending.add(next.path("nextAction"));
            pending.add(next.path("firstLoopAction"));
            next.path("children").forEach(pending::add);
            next.path("continueOnFailureBranches").forEach(pending::add);
            pending.removeIf(each -> !each.isObject());
        }
    }

    @Test
    void generatedWorkflowsBecomeDrafts_validOrWithNamedGaps() {
        for (var first = 0; first < GENERATED; first += BATCH) {
            ObjectNode request = Json.object().put("projectId", ada.projectId()).put("folder", "Generated");
            var workflows = request.putArray("workflows");
            for (var seed = first; seed < first + BATCH; seed++) {
                workflows.add(GeneratedWorkflow.of(10_000L + seed));
            }
            var answer = ada.api().post("/v1/flows/import/n8n", request);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.body().path("report").path("workflows")).hasSize(BATCH);
            for (var flow : answer.body().path("flows")) {
                assertThat(flow.has("error"))
                        .as(flow.path("displayName") + " " + flow.path("error"))
                        .isFalse();
                assertThat(flow.path("problems").findValuesAsText("message"))
                        .as(flow.path("displayName").asText())
                        .allMatch(message -> message.contains("piece-"));
            }
        }
    }
}
