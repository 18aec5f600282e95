package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.MediaType;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.input.BodyFile;
import io.vertx.core.buffer.Buffer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A request body and its content type, made from the step's input (contract pieces 14.4).
 *
 * @param contentType default Content-Type, unless the author set one
 * @param fixed true if the content type overrides the author's, because it carries the boundary
 * @param shown the body as error messages show it: without files
 */
public record HttpBody(Buffer content, String contentType, boolean fixed, JsonNode shown) {
    private static final String JSON = "application/json";
    private static final String URL_ENCODED = "application/x-www-form-urlencoded";

    static Optional<HttpBody> of(ObjectNode props, Optional<String> givenContentType) {
        var data = props.path("body").path("data");
        if (data.isMissingNode() || data.isNull()) {
            return Optional.empty();
        }
        var urlEncoded = givenContentType
                .map(type -> type.toLowerCase(Locale.ROOT).startsWith(URL_ENCODED))
                .orElse(false);
        return switch (props.path("body_type").asText("none")) {
            case "json" -> Optional.of(urlEncoded ? form(data) : json(data));
            case "raw" -> Optional.of(raw(data, givenContentType));
            case "file" ->
                Optional.of(BodyFile.of(data)
                        .map(HttpBody::file)
                        .orElseThrow(() ->
                                PieceFailure.of("Expected a file, its URL or a data URI as the body, found none")));
            case "form_data" ->
                Optional.of(urlEncoded ? urlEncoded(FormField.listOf(data)) : MultipartBody.of(FormField.listOf(data)));
            default -> Optional.empty();
        };
    }

    /** Sends valid JSON text unchanged and encodes any other text as a JSON string. */
    private static HttpBody json(JsonNode data) {
        var text = data.isTextual() && isJson(data.asText()) ? data.asText() : Json.text(data);
        return new HttpBody(Buffer.buffer(text), JSON, false, data);
    }

    /** Fields of an object or list; any other value is the text of a form that its author has encoded. */
    private static HttpBody form(JsonNode data) {
        return data.isContainerNode()
                ? urlEncoded(fields(data))
                : new HttpBody(Buffer.buffer(HttpCall.text(data)), URL_ENCODED, false, data);
    }

    /** The default content type of a raw body is JSON, as in the published piece. */
    private static HttpBody raw(JsonNode data, Optional<String> givenContentType) {
        // With a text content type, a data URI is sent as text and not decoded.
        var isText = givenContentType
                .map(type -> MediaType.of(type).content() == MediaType.Content.TEXT)
                .orElse(false);
        var file = isText ? Optional.<BodyFile>empty() : BodyFile.of(data);
        if (file.isPresent()) {
            return file(file.get());
        }
        return new HttpBody(Buffer.buffer(HttpCall.text(data)), JSON, false, data);
    }

    private static HttpBody file(BodyFile file) {
        var shown = Json.object()
                .put("contentType", file.contentType())
                .put("bytes", file.data().length());
        return new HttpBody(file.data(), file.contentType(), false, shown);
    }

    private static HttpBody urlEncoded(List<FormField> fields) {
        var shown = Json.object();
        var pairs = new ArrayList<String>();
        for (var field : fields) {
            var text = field.text()
                    .orElseThrow(() -> PieceFailure.of(
                            "Form field \"" + field.name() + "\" is a file, which a URL-encoded form cannot carry"));
            pairs.add(encoded(field.name()) + "=" + encoded(text));
            shown.put(field.name(), text);
        }
        return new HttpBody(Buffer.buffer(String.join("&", pairs)), URL_ENCODED, false, shown);
    }

    /**
     * Nested values are spelled the way form parsers read them: {@code a[b]=1}, {@code list[]=1}, and with places where a
     * list has more than plain values: {@code list[0][b]=1}. Null is left out.
     */
    private static List<FormField> fields(JsonNode data) {
        var fields = new ArrayList<FormField>();
        data.properties().forEach(entry -> flatten(entry.getKey(), entry.getValue(), fields));
        for (var index = 0; data.isArray() && index < data.size(); index++) {
            flatten(Integer.toString(index), data.get(index), fields);
        }
        return fields;
    }

    private static void flatten(String name, JsonNode value, List<FormField> fields) {
        if (value.isObject()) {
            value.properties().forEach(entry -> flatten(name + "[" + entry.getKey() + "]", entry.getValue(), fields));
        } else if (value.isArray()) {
            var isPlain = value.valueStream().noneMatch(JsonNode::isContainerNode);
            for (var index = 0; index < value.size(); index++) {
                flatten(name + (isPlain ? "[]" : "[" + index + "]"), value.get(index), fields);
            }
        } else if (!value.isNull()) {
            fields.add(FormField.ofText(name, HttpCall.text(value)));
        }
    }

    private static boolean isJson(String text) {
        try {
            return !Json.parse(text).isMissingNode();
        } catch (JsonProcessingException notJson) {
            return false;
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
