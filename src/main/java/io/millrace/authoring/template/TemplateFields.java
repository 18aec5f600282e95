package io.millrace.authoring.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.TemplateFlow;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

/** Parses the common fields of requests that create or change a template (contract admin-api 6.1). */
final class TemplateFields {
    private static final Pattern COLOR = Pattern.compile("^#[0-9A-Fa-f]{6}$");
    private static final int FLOWS_MAX = 50;

    private TemplateFields() {}

    record TemplateFlows(ArrayNode flows, List<String> pieces) {
        static final TemplateFlows NONE = new TemplateFlows(Json.array(), List.of());
    }

    static ArrayNode tags(Fields body) {
        var tags = Json.array();
        if (!body.has("tags")) {
            return tags;
        }
        var index = 0;
        for (var given : body.array("tags")) {
            var tag = body.element("tags", index++, given);
            var kept = tags.addObject().put("title", tag.text("title")).put("color", tag.text("color", COLOR));
            tag.optionalText("icon").ifPresent(icon -> kept.put("icon", icon));
        }
        return tags;
    }

    /** Flows migrated to the current schema; an invalid flow is rejected with its path. An absent list is empty. */
    static TemplateFlows flows(Fields body, String now) {
        if (!body.has("flows")) {
            return TemplateFlows.NONE;
        }
        var given = body.array("flows");
        if (given.size() > FLOWS_MAX) {
            body.refuse("flows", "Too big: expected array to have <=" + FLOWS_MAX + " items");
            return TemplateFlows.NONE;
        }
        var flows = Json.array();
        var pieces = new LinkedHashSet<String>();
        for (var index = 0; index < given.size(); index++) {
            if (given.get(index) instanceof ObjectNode flow) {
                var read = TemplateFlow.read(flow, "body/flows/" + index, now);
                flows.add(read.json());
                pieces.addAll(read.pieces());
            } else {
                body.element("flows", index, given.get(index));
            }
        }
        return new TemplateFlows(flows, new ArrayList<>(pieces));
    }

    /** Free-form object, or null to clear it. */
    static FieldChange<JsonNode> metadata(Fields body) {
        return switch (body.orNull().changedObject("metadata")) {
            case FieldChange.Keep<ObjectNode> _ -> FieldChange.keep();
            case FieldChange.To<ObjectNode>(var object) -> FieldChange.to(object);
        };
    }
}
