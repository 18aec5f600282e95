package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The inputs of Send HTTP request, as editors show them (contract pieces 14.4). */
final class SendRequestProperties {
    private SendRequestProperties() {}

    static Map<String, Property> all() {
        var props = new LinkedHashMap<String, Property>();
        props.put("method", method(null));
        props.put("url", text("URL", true));
        props.put("headers", Property.of(PropertyType.OBJECT, "Headers", true));
        props.put("queryParams", Property.of(PropertyType.OBJECT, "Query params", true));
        props.put("authType", choice("Authentication", true, "NONE", authTypes()));
        props.put("authFields", dynamic("Authentication Fields", "authType", SendRequestProperties::authFields));
        props.put("body_type", choice("Body Type", false, "none", bodyTypes()));
        props.put("body", dynamic("Body", "body_type", SendRequestProperties::body));
        props.put(
                "response_is_binary",
                flag("Response is Binary")
                        .describedAs("Enable for files like PDFs, images, etc. A base64 body will be returned."));
        props.put(
                "response_is_text",
                flag("Response is Text").describedAs("Keep the body as text, even when it is JSON."));
        props.put(
                "response_to_file",
                flag("Save Response to File").describedAs("Store the response body as a file and return its URL."));
        props.putAll(way());
        props.put("followRedirects", flag("Follow redirects"));
        props.put("failureMode", choice("On Failure", false, "continue_none", failureModes()));
        props.put(
                "sendIdempotencyKey",
                flag("Send idempotency key")
                        .describedAs("Send an Idempotency-Key header with requests that change something. It stays the"
                                + " same when this step is repeated after an interruption."));
        return props;
    }

    static Map<String, Property> way() {
        var props = new LinkedHashMap<String, Property>();
        props.put("use_proxy", flag("Use Proxy").describedAs("Use a proxy for this request"));
        props.put("proxy_settings", dynamic("Proxy Settings", "use_proxy", SendRequestProperties::proxySettings));
        props.put("timeout", Property.of(PropertyType.NUMBER, "Timeout(in seconds)", false));
        return props;
    }

    static Property method(String usual) {
        return choice("Method", true, usual, methods());
    }

    private static Map<String, Property> authFields(ObjectNode input) {
        return switch (input.path("authType").asText()) {
            case "BASIC" ->
                ordered(
                        "username",
                        text("Username", true).describedAs("The username to use for authentication."),
                        "password",
                        text("Password", true).describedAs("The password to use for authentication."));
            case "BEARER_TOKEN" ->
                Map.of("token", text("Token", true).describedAs("The Bearer token to use for authentication."));
            default -> Map.of();
        };
    }

    private static Map<String, Property> body(ObjectNode input) {
        return switch (input.path("body_type").asText()) {
            case "json" -> Map.of("data", Property.of(PropertyType.JSON, "JSON Body", true));
            case "raw" -> Map.of("data", Property.of(PropertyType.LONG_TEXT, "Raw Body", true));
            case "file" ->
                Map.of(
                        "data",
                        Property.of(PropertyType.FILE, "File", true)
                                .describedAs("A file, its URL, or a data URI: the body is its bytes."));
            case "form_data" ->
                Map.of(
                        "data",
                        Property.of(PropertyType.ARRAY, "Form Data", true).withItems(formField()));
            default -> Map.of();
        };
    }

    private static Map<String, Property> formField() {
        var field = new LinkedHashMap<String, Property>();
        field.put("fieldName", text("Field Name", true));
        field.put("fieldType", choice("Field Type", true, "text", options("Text", "text", "File", "file")));
        field.put("textFieldValue", Property.of(PropertyType.LONG_TEXT, "Text Field Value", false));
        field.put("fileFieldValue", Property.of(PropertyType.FILE, "File Field Value", false));
        return field;
    }

    private static Map<String, Property> proxySettings(ObjectNode input) {
        if (!input.path("use_proxy").asBoolean()) {
            return Map.of();
        }
        var settings = new LinkedHashMap<String, Property>();
        settings.put("proxy_host", text("Proxy Host", true));
        settings.put("proxy_port", Property.of(PropertyType.NUMBER, "Proxy Port", true));
        settings.put("proxy_username", text("Proxy Username", false));
        settings.put("proxy_password", text("Proxy Password", false));
        return settings;
    }

    private static List<Property.Option> methods() {
        return Stream.of("GET", "POST", "PATCH", "PUT", "DELETE", "HEAD")
                .map(method -> new Property.Option(method, TextNode.valueOf(method)))
                .toList();
    }

    private static List<Property.Option> authTypes() {
        return options("None", "NONE", "Basic Auth", "BASIC", "Bearer Token", "BEARER_TOKEN");
    }

    private static List<Property.Option> bodyTypes() {
        return options("None", "none", "Form Data", "form_data", "JSON", "json", "Raw", "raw", "File", "file");
    }

    private static List<Property.Option> failureModes() {
        return Stream.of(HttpFailureMode.values())
                .map(mode -> new Property.Option(mode.label(), TextNode.valueOf(mode.wireName())))
                .toList();
    }

    private static List<Property.Option> options(String... labelsAndValues) {
        return Stream.iterate(0, i -> i < labelsAndValues.length, i -> i + 2)
                .map(i -> new Property.Option(labelsAndValues[i], TextNode.valueOf(labelsAndValues[i + 1])))
                .toList();
    }

    private static Property text(String displayName, boolean required) {
        return Property.of(PropertyType.SHORT_TEXT, displayName, required);
    }

    private static Property flag(String displayName) {
        return Property.of(PropertyType.CHECKBOX, displayName, false).defaultingTo(BooleanNode.FALSE);
    }

    private static Property choice(
            String displayName, boolean required, String defaultValue, List<Property.Option> options) {
        JsonNode value = defaultValue == null ? null : TextNode.valueOf(defaultValue);
        return Property.of(PropertyType.STATIC_DROPDOWN, displayName, required)
                .withOptions(options)
                .defaultingTo(value);
    }

    private static Property dynamic(
            String displayName,
            String refresher,
            java.util.function.Function<ObjectNode, Map<String, Property>> children) {
        return Property.of(PropertyType.DYNAMIC, displayName, false).refreshedBy(List.of(refresher), children);
    }

    private static Map<String, Property> ordered(String first, Property one, String second, Property two) {
        var props = new LinkedHashMap<String, Property>();
        props.put(first, one);
        props.put(second, two);
        return props;
    }
}
