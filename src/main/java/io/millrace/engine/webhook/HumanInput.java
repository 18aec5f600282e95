package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.platform.Platform;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.base.core.Json;
import io.millrace.piece.builtin.webhook.ChatTrigger;
import io.millrace.piece.builtin.webhook.FileFormTrigger;
import io.millrace.piece.builtin.webhook.FormTrigger;
import io.millrace.piece.builtin.webhook.FormsPiece;
import java.util.Optional;

/** Public data of a flow for users of its form or chat (contract flows-and-engine 24.1). */
final class HumanInput {
    private HumanInput() {}

    /** Empty for another trigger. */
    static Optional<ObjectNode> form(Flows.FlowWithVersion flow) {
        return trigger(flow).flatMap(trigger -> switch (trigger.triggerName().orElse("")) {
            case FormTrigger.NAME -> Optional.of(view(flow, trigger, props(input(trigger))));
            case FileFormTrigger.NAME -> Optional.of(view(flow, trigger, propsOfFile()));
            default -> Optional.empty();
        });
    }

    /** Empty for another trigger. */
    static Optional<ObjectNode> chat(Flows.FlowWithVersion flow, Platform platform) {
        return trigger(flow)
                .filter(trigger -> trigger.triggerName().orElse("").equals(ChatTrigger.NAME))
                .map(trigger -> {
                    var props = Json.object()
                            .put("botName", input(trigger).path("botName").asText(ChatTrigger.BOT_NAME));
                    return view(flow, trigger, props)
                            .put("platformLogoUrl", platform.looks().fullLogoUrl())
                            .put("platformName", platform.name());
                });
    }

    private static Optional<PieceTriggerStep> trigger(Flows.FlowWithVersion flow) {
        return flow.version().steps().trigger() instanceof PieceTriggerStep trigger
                        && trigger.pieceName().orElse("").equals(FormsPiece.NAME)
                ? Optional.of(trigger)
                : Optional.empty();
    }

    private static JsonNode input(PieceTriggerStep trigger) {
        return trigger.settings().path("input");
    }

    private static ObjectNode view(Flows.FlowWithVersion flow, PieceTriggerStep trigger, ObjectNode props) {
        var view = Json.object()
                .put("id", flow.flow().id())
                .put("title", flow.version().displayName())
                .put("projectId", flow.flow().projectId())
                .put("version", trigger.pieceVersion().orElse(""));
        view.set("props", props);
        return view;
    }

    private static ObjectNode props(JsonNode input) {
        var props = Json.object();
        props.set("inputs", inputs(input.path("inputs")));
        return props.put("waitForResponse", input.path("waitForResponse").asBoolean(false));
    }

    private static ArrayNode inputs(JsonNode given) {
        var inputs = Json.array();
        for (var one : given.isArray() ? given : Json.array()) {
            inputs.addObject()
                    .put("displayName", one.path("displayName").asText(""))
                    .put("required", one.path("required").asBoolean(false))
                    .put("description", one.path("description").asText(""))
                    .put("type", one.path("type").asText("text"));
        }
        return inputs;
    }

    private static ObjectNode propsOfFile() {
        var props = Json.object();
        props.putArray("inputs")
                .addObject()
                .put("displayName", "File")
                .put("required", true)
                .put("description", "")
                .put("type", "file");
        return props.put("waitForResponse", true);
    }
}
