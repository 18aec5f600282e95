package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.EmptyTrigger;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.parser.References;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Exports a flow as a template without connections, samples and ids of this server (contract flows-and-engine 3.4,
 * admin-api 6.1).
 */
final class FlowExport {
    private FlowExport() {}

    /**
     * The shared template of a flow.
     *
     * @param tests tests of the flow
     * @param author name of the exporting user; empty for API keys
     */
    static ObjectNode template(Flow flow, FlowVersion version, List<FlowTestCase> tests, String author) {
        var template = Json.object()
                .put("name", version.displayName())
                .put("summary", "")
                .put("description", "")
                .put("blogUrl", "");
        template.putArray("tags");
        template.putArray("categories");
        pieces(version.steps()).forEach(template.putArray("pieces")::add);
        template.putArray("flows").add(flow(version, tests));
        template.putObject("metadata").put("externalId", flow.externalId());
        return template.put("author", author).put("type", "SHARED").put("status", "PUBLISHED");
    }

    /** Names of the pieces of a flow, in the order of its steps. */
    static List<String> pieces(StepTree tree) {
        var names = new LinkedHashSet<String>();
        for (var step : tree.steps()) {
            switch (step) {
                case PieceTriggerStep trigger -> trigger.pieceName().ifPresent(names::add);
                case PieceStep piece -> piece.pieceName().ifPresent(names::add);
                case EmptyTrigger _, CodeStep _, LoopStep _, RouterStep _ -> {}
            }
        }
        return List.copyOf(names);
    }

    private static ObjectNode flow(FlowVersion version, List<FlowTestCase> tests) {
        var exported = Json.object().put("displayName", version.displayName()).put("description", "");
        exported.set("trigger", shareable(version.steps()).toJson());
        exported.put("valid", version.valid()).put("schemaVersion", version.schemaVersion());
        var notes = exported.putArray("notes");
        version.notes().forEach(note -> notes.add(note.toJson()));
        if (!tests.isEmpty()) {
            TemplateFlow.putTests(exported, tests);
        }
        return exported;
    }

    private static StepTree shareable(StepTree tree) {
        var trigger = tree.trigger();
        return tree.with(trigger.with(trigger.base(), shareable(trigger.settings())))
                .change(_ -> true, action -> action.with(shareable(action.settings())));
    }

    private static ObjectNode shareable(ObjectNode settings) {
        var shared = settings.deepCopy();
        shared.remove("sampleData");
        if (shared.get("input") instanceof ObjectNode input) {
            shared.set("input", withoutConnections(input));
        }
        return shared;
    }

    /**
     * Removes connections: a field with only a connection is removed; in a list an empty item remains, so that other
     * positions are unchanged.
     */
    private static JsonNode withoutConnections(JsonNode value) {
        return switch (value) {
            case TextNode text -> TextNode.valueOf(References.withoutConnections(text.textValue()));
            case ArrayNode array -> {
                var kept = Json.array();
                array.forEach(item -> kept.add(withoutConnections(item)));
                yield kept;
            }
            case ObjectNode object -> {
                var kept = Json.object();
                object.properties().forEach(field -> {
                    var without = withoutConnections(field.getValue());
                    var isEmptied = field.getValue().isTextual()
                            && without.textValue().isEmpty()
                            && !field.getValue().textValue().isEmpty();
                    if (!isEmptied) {
                        kept.set(field.getKey(), without);
                    }
                });
                yield kept;
            }
            default -> value;
        };
    }
}
