package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The request of an action, as it was stored.
 *
 * @param security alternatives, each a list of schemes that apply together
 */
record RequestPlan(
        String method,
        String path,
        String server,
        String accept,
        List<Parameter> parameters,
        Optional<Body> body,
        List<List<String>> security,
        Optional<Pages> pages) {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}/]{1,200})}");

    /**
     * A parameter and the property with its value.
     *
     * @param json true if the value is sent as JSON text
     */
    record Parameter(
            String prop, String name, String in, String style, boolean explode, boolean reserved, boolean json) {}

    /**
     * A body.
     *
     * @param form json, urlencoded, multipart, text or binary
     * @param whole property with the whole body; empty when its fields are properties
     */
    record Body(String mediaType, String form, Optional<String> whole, List<Field> fields) {}

    /**
     * A field of a body.
     *
     * @param contentType empty for the usual one
     */
    record Field(String prop, String name, String type, String style, boolean explode, String contentType) {}

    record Pages(Pagination pagination, String allProp, String itemsProp) {}

    static RequestPlan read(JsonNode plan) {
        var security = new ArrayList<List<String>>();
        plan.path("security").forEach(one -> security.add(texts(one)));
        return new RequestPlan(
                plan.path("method").asText(),
                plan.path("path").asText(),
                plan.path("server").asText(),
                plan.path("accept").asText("*/*"),
                plan.path("parameters")
                        .valueStream()
                        .map(RequestPlan::parameter)
                        .toList(),
                plan.path("body").isObject() ? Optional.of(body(plan.path("body"))) : Optional.empty(),
                List.copyOf(security),
                Pagination.read(plan.path("pages"))
                        .map(pages -> new Pages(
                                pages,
                                plan.path("pages").path("allProp").asText(),
                                plan.path("pages").path("itemsProp").asText())));
    }

    RequestPlan at(String address) {
        return new RequestPlan(method, path, address, accept, parameters, body, security, pages);
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    private static Parameter parameter(JsonNode json) {
        return new Parameter(
                json.path("prop").asText(),
                json.path("name").asText(),
                json.path("in").asText(),
                json.path("style").asText(),
                json.path("explode").asBoolean(),
                json.path("reserved").asBoolean(),
                json.path("json").asBoolean());
    }

    private static Body body(JsonNode json) {
        return new Body(
                json.path("mediaType").asText(),
                json.path("form").asText(),
                json.has("whole") ? Optional.of(json.path("whole").asText()) : Optional.empty(),
                json.path("fields").valueStream().map(RequestPlan::field).toList());
    }

    private static Field field(JsonNode json) {
        return new Field(
                json.path("prop").asText(),
                json.path("name").asText(),
                json.path("type").asText(),
                json.path("style").asText("form"),
                json.path("explode").asBoolean(true),
                json.path("contentType").asText(""));
    }

    static List<String> placeholders(String path) {
        return PLACEHOLDER
                .matcher(path)
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
    }
}
