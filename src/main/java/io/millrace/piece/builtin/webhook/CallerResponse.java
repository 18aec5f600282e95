package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.AnswerHeaders;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.input.BodyFile;
import io.millrace.piece.input.PropertyProcessor;
import io.millrace.piece.input.ScriptValues;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The response that an author describes for the caller of a webhook (contract flows-and-engine 13.3). */
final class CallerResponse {
    private static final String CONTENT_TYPE = "Content-Type";
    private static final int ASCII_MAX = 0x7f;

    private static final Map<String, Property> JSON_FIELDS =
            withStatus(Property.of(PropertyType.JSON, "JSON Body", true));
    private static final Map<String, Property> RAW_FIELDS = withStatus(Props.longText("Raw Body", true));
    private static final Map<String, Property> FILE_FIELDS = withStatus(
            Props.file("File", true).describedAs("A file, its URL, or a data URI: the response is its bytes."));
    private static final Map<String, Property> REDIRECT_FIELDS =
            Props.of(Props.named("body", Props.longText("Redirect URL", true)));

    static final Props.NamedProperty TYPE = Props.named(
            "responseType",
            Props.choice("Response Type", false, "JSON", "json", "Raw", "raw", "Redirect", "redirect", "File", "file")
                    .defaultingTo(TextNode.valueOf("json")));

    static final Props.NamedProperty FIELDS = Props.named(
            "fields",
            Property.of(PropertyType.DYNAMIC, "Response", true)
                    .refreshedBy(List.of("responseType"), CallerResponse::fieldsFor)
                    .withExtra(PropertyProcessor.ANY_JSON, TextNode.valueOf("body")));

    private static final String RESPOND = "respond";

    static final Props.NamedProperty EXECUTION = Props.named(
            RESPOND,
            Props.choice("Flow Execution", false, "Stop", "stop", "Respond and Continue", RESPOND)
                    .defaultingTo(TextNode.valueOf("stop")));

    private CallerResponse() {}

    private static Map<String, Property> fieldsFor(ObjectNode input) {
        return switch (responseType(input)) {
            case "raw" -> RAW_FIELDS;
            case "redirect" -> REDIRECT_FIELDS;
            case "file" -> FILE_FIELDS;
            default -> JSON_FIELDS;
        };
    }

    private static Map<String, Property> withStatus(Property body) {
        return Props.of(
                Props.named("status", Props.number("Status", false).defaultingTo(IntNode.valueOf(200))),
                Props.named("headers", Property.of(PropertyType.OBJECT, "Headers", false)),
                Props.named("body", body));
    }

    private static String responseType(ObjectNode input) {
        return input.path("responseType").asText("json");
    }

    record ResponseWithFile(ObjectNode response, Optional<BodyFile> file) {}

    /** Fails with {@link PieceFailure} when the input describes no response. */
    static ResponseWithFile given(ObjectNode props) {
        var response = of(props);
        var type = responseType(props);
        var file = type.equals("file") || type.equals("raw")
                ? BodyFile.of(response.get("body"))
                : Optional.<BodyFile>empty();
        if (type.equals("file") && file.isEmpty()) {
            throw PieceFailure.of("Expected a file, its URL or a data URI as the body of the response, found none");
        }
        file.ifPresent(found -> {
            var headers = response.withObject("/headers");
            if (headers.propertyStream().noneMatch(header -> header.getKey().equalsIgnoreCase(CONTENT_TYPE))) {
                headers.put(CONTENT_TYPE, found.contentType());
            }
            // The bytes are sent to the caller and not recorded in the log of the run.
            response.putObject("body")
                    .put("contentType", found.contentType())
                    .put("bytes", found.data().length());
        });
        return new ResponseWithFile(response, file);
    }

    private static ObjectNode of(ObjectNode props) {
        var fields = props.path("fields");
        var body = fields.get("body");
        var response = Json.object();
        response.set("status", fields.hasNonNull("status") ? fields.get("status") : IntNode.valueOf(200));
        var headers = response.putObject("headers");
        if (fields.path("headers") instanceof ObjectNode given) {
            headers.setAll(given);
        }
        switch (responseType(props)) {
            case "raw", "file" -> setUnlessAbsent(response, body);
            case "redirect" -> {
                response.put("status", 301);
                headers.put(
                        "Location",
                        withScheme(
                                body == null || body.isNull()
                                        ? ""
                                        : ScriptValues.text(body).strip()));
                setUnlessAbsent(response, body);
            }
            default -> setUnlessAbsent(response, body != null && body.isTextual() ? parsed(body.asText()) : body);
        }
        return response;
    }

    private static void setUnlessAbsent(ObjectNode response, JsonNode body) {
        if (body != null) {
            response.set("body", body);
        }
    }

    private static JsonNode parsed(String body) {
        try {
            return Json.parse(body);
        } catch (JsonProcessingException malformed) {
            throw PieceFailure.of("Expected JSON as the body of the response, found text that is not JSON");
        }
    }

    private static String withScheme(String url) {
        if (url.isEmpty()) {
            throw PieceFailure.of("Expected a URL to redirect to, found none");
        }
        var hasScheme = url.regionMatches(true, 0, "http://", 0, 7) || url.regionMatches(true, 0, "https://", 0, 8);
        return encoded(hasScheme ? url : "https://" + url);
    }

    /** A URL has ASCII characters only; the others are percent-encoded as browsers do it. */
    private static String encoded(String url) {
        var text = new StringBuilder(url.length());
        url.codePoints().forEach(character -> {
            if (character <= ASCII_MAX) {
                text.append((char) character);
            } else {
                text.append(URLEncoder.encode(Character.toString(character), StandardCharsets.UTF_8));
            }
        });
        return text.toString();
    }

    static HttpAnswer answer(ResponseWithFile given) {
        var response = given.response();
        var status = response.path("status").doubleValue();
        // A status below 200 would leave the caller waiting for the final response.
        if (status != Math.rint(status) || status < 200 || status > 599) {
            throw PieceFailure.of(
                    "Expected an HTTP status from 200 to 599, found " + ScriptValues.text(response.path("status")));
        }
        var headers = headers(response.path("headers"));
        if (response.path("headers").propertyStream().anyMatch(CallerResponse::isEmptyLocation)) {
            throw PieceFailure.of("Expected a URL in the header Location, found an empty text");
        }
        return given.file()
                .map(file ->
                        HttpAnswer.ofFile((int) status, headers, file.data().getBytes()))
                .orElseGet(() -> new HttpAnswer((int) status, headers, response.get("body")));
    }

    /** Null is left out of the headers, and a redirect without a URL is as empty as one with a blank text. */
    private static boolean isEmptyLocation(Map.Entry<String, JsonNode> header) {
        return header.getKey().strip().equalsIgnoreCase("Location")
                && (header.getValue().isNull()
                        || ScriptValues.text(header.getValue()).isBlank());
    }

    /** Sends the response, and ends the run unless the author chose to continue. */
    static void give(StepContext context, HttpAnswer answer) {
        if (context.props().path(RESPOND).asText().equals(RESPOND)) {
            context.respond(answer);
        } else {
            context.stop(answer);
        }
    }

    private static Map<String, String> headers(JsonNode given) {
        var headers = new LinkedHashMap<String, String>();
        for (var header : given.properties()) {
            if (header.getValue().isNull()) {
                continue;
            }
            headers.put(header.getKey(), ScriptValues.text(header.getValue()));
        }
        return AnswerHeaders.checked(headers);
    }
}
