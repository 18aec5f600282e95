package io.millrace.base.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.Violations;
import io.millrace.base.http.body.FormReader;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Input of a request: path parameters, query and body, read with one shared list of violations.
 *
 * <p>A reader turns it into a message; {@link Routes} refuses the request afterwards when there was a violation.
 */
public final class Input {
    private static final Pattern ELEMENT_FIELD = Pattern.compile("(([^\\[]+)\\[[0-9]+])\\[([^\\[\\]]+)]");

    private final Map<String, String> parameters;
    private final ObjectNode query;
    private final JsonNode body;
    private final List<String> problems = new ArrayList<>();

    private final boolean isForm;

    private Input(Map<String, String> parameters, ObjectNode query, JsonNode body, boolean isForm) {
        this.parameters = parameters;
        this.query = query;
        this.body = body;
        this.isForm = isForm;
    }

    static Input of(RoutingContext context, JsonNode body) {
        return new Input(context.pathParams(), queryOf(context.queryParams()), body, FormReader.isForm(context));
    }

    /** Path parameter that must have the form of an id. */
    public String id(String name) {
        var value = parameters.getOrDefault(name, "");
        if (!Ids.isId(value)) {
            problems.add("params/" + name + " Invalid string: must match pattern /" + Ids.PATTERN.pattern() + "/");
        }
        return value;
    }

    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Query: every value is a text, or an array of texts where the key is repeated. */
    public Fields query() {
        return Fields.of("querystring", query, problems);
    }

    /** Its fields may be absent but not null, unless its reader allows it. */
    public Fields body() {
        return Fields.of("body", body, problems).neverNull();
    }

    /**
     * Body, which must be an object. In a form every field is a text; fields of other types are given as JSON text (contract
     * admin-api 1.3).
     *
     * @param texts names of the fields that are really texts
     */
    public Fields body(Set<String> texts) {
        if (isForm && body instanceof ObjectNode form) {
            form.properties().stream()
                    .filter(field -> field.getValue().isTextual() && !texts.contains(field.getKey()))
                    .forEach(field -> parsed(field.getValue().textValue()).ifPresent(field::setValue));
        }
        return body();
    }

    private static Optional<JsonNode> parsed(String text) {
        try {
            return Optional.of(Json.parse(text));
        } catch (JsonProcessingException noJson) {
            return Optional.empty();
        }
    }

    /** Body as it was parsed; a missing node when there was none. */
    public JsonNode rawBody() {
        return body;
    }

    String projectInBody() {
        return inBody("projectId");
    }

    String projectInQuery() {
        return inQuery("projectId");
    }

    /** A text of the body before validation; empty when there is none. */
    String inBody(String field) {
        return body.path(field).asText("");
    }

    /** A text of the query before validation; empty when there is none. */
    String inQuery(String parameter) {
        return query.path(parameter).asText("");
    }

    void done() {
        Violations.refuseIfAny(problems);
    }

    /**
     * Repeated keys, bracket form and indexed form all make an array (contract admin-api 1.3); {@code name[0][field]}
     * makes an array of objects (contract flows-and-engine 22.5).
     */
    private static ObjectNode queryOf(MultiMap parameters) {
        var query = Json.object();
        var elements = new HashMap<String, ObjectNode>();
        for (var entry : parameters) {
            var element = ELEMENT_FIELD.matcher(entry.getKey());
            if (element.matches()) {
                elements.computeIfAbsent(
                                element.group(1),
                                _ -> listOf(query, element.group(2)).addObject())
                        .put(element.group(3), entry.getValue());
                continue;
            }
            var bracket = entry.getKey().indexOf('[');
            var isList = bracket > 0 && entry.getKey().endsWith("]");
            var name = isList ? entry.getKey().substring(0, bracket) : entry.getKey();
            var present = query.get(name);
            if (present == null && !isList) {
                query.put(name, entry.getValue());
            } else {
                listOf(query, name).add(entry.getValue());
            }
        }
        return query;
    }

    /** The array of that name; a single value becomes its first element. */
    private static ArrayNode listOf(ObjectNode query, String name) {
        var present = query.get(name);
        if (present instanceof ArrayNode list) {
            return list;
        }
        var list = query.putArray(name);
        if (present != null) {
            list.add(present);
        }
        return list;
    }
}
