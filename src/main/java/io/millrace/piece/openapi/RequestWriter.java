package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.http.FormField;
import io.millrace.piece.builtin.http.MultipartBody;
import io.millrace.piece.input.FileNames;
import io.millrace.piece.input.FileValue;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

final class RequestWriter {
    private static final Set<String> SAFE = Set.of("GET", "HEAD");
    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final RequestPlan plan;
    private final ObjectNode props;
    private final String idempotencyKey;

    private RequestWriter(RequestPlan plan, ObjectNode props, String idempotencyKey) {
        this.plan = plan;
        this.props = props;
        this.idempotencyKey = idempotencyKey;
    }

    /** A request, and its address without credentials for messages. */
    record WrittenRequest(OutboundRequest request, String shownUrl) {}

    /**
     * Fails with {@link PieceFailure} for values that cannot be sent.
     *
     * @param more encoded query pairs of a page, which replace those of the same name; may be empty
     */
    static WrittenRequest write(
            RequestPlan plan,
            ObjectNode props,
            RequestCredentials credentials,
            String idempotencyKey,
            List<String> more) {
        try {
            return new RequestWriter(plan, props, idempotencyKey).written(credentials, more);
        } catch (IllegalArgumentException malformed) {
            throw PieceFailure.of(String.valueOf(malformed.getMessage()));
        }
    }

    private WrittenRequest written(RequestCredentials credentials, List<String> more) {
        var query = new ArrayList<>(query());
        query.removeIf(pair -> more.stream().anyMatch(other -> nameOf(other).equals(nameOf(pair))));
        query.addAll(more);
        var plain = WebAddress.parse(plan.server() + path()).withQuery(String.join("&", query));
        var address = plain.withQuery(String.join("&", credentials.query()));
        return new WrittenRequest(complete(OutboundRequest.of(plan.method(), address), credentials), plain.toString());
    }

    private static String nameOf(String pair) {
        return pair.split("=", 2)[0];
    }

    private OutboundRequest complete(OutboundRequest request, RequestCredentials credentials) {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Accept", plan.accept());
        var cookies = new ArrayList<String>();
        plan.parameters()
                .forEach(parameter -> value(parameter.prop()).ifPresent(value -> {
                    if (parameter.in().equals("header")) {
                        headers.put(parameter.name(), ParameterStyle.header(parameter, asSent(parameter, value)));
                    } else if (parameter.in().equals("cookie")) {
                        ParameterStyle.query(parameter, asSent(parameter, value))
                                .forEach(pair -> cookies.add(pair.toString()));
                    }
                }));
        plan.parameters().stream()
                .filter(parameter ->
                        parameter.in().equals("header") && parameter.name().equalsIgnoreCase(IDEMPOTENCY_KEY))
                .findFirst()
                .ifPresent(parameter -> headers.putIfAbsent(IDEMPOTENCY_KEY, idempotencyKey));
        var secret = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        secret.putAll(credentials.headers());
        cookies.addAll(credentials.cookies());
        if (!cookies.isEmpty()) {
            secret.put("Cookie", String.join("; ", cookies));
        }
        var body = body();
        body.ifPresent(content -> headers.put("Content-Type", content.contentType()));
        var full = request.withHeaders(headers)
                .withCredentials(secret)
                .followingRedirects(SAFE.contains(plan.method()) ? OutboundLimits.REDIRECTS_MAX : 0);
        return body.map(content -> full.withBody(content.data())).orElse(full);
    }

    private Optional<JsonNode> value(String prop) {
        return Optional.ofNullable(props.get(prop)).filter(value -> !value.isNull() && !value.isMissingNode());
    }

    private static JsonNode asSent(RequestPlan.Parameter parameter, JsonNode value) {
        return parameter.json() ? TextNode.valueOf(Json.text(value)) : value;
    }

    private String path() {
        var path = plan.path();
        for (var parameter : plan.parameters()) {
            if (parameter.in().equals("path")) {
                var value = value(parameter.prop())
                        .filter(one -> !ParameterStyle.text(one).isEmpty())
                        .orElseThrow(() -> PieceFailure.of(
                                "Expected a value of the path parameter " + parameter.name() + ", found none"));
                var encoded = ParameterStyle.path(parameter, asSent(parameter, value));
                path = path.replace("{" + parameter.name() + "}", encoded);
            }
        }
        return withoutDots(path);
    }

    /** A segment of dots would lead to another path, even in its percent-encoded form. */
    private static String withoutDots(String path) {
        for (var segment : path.split("/", -1)) {
            if (segment.equals(".") || segment.equals("..")) {
                throw PieceFailure.of("Expected path parameters without a segment of dots, found " + segment);
            }
        }
        return path;
    }

    private List<String> query() {
        var pairs = new ArrayList<String>();
        plan.parameters().stream()
                .filter(parameter -> parameter.in().equals("query"))
                .forEach(parameter -> value(parameter.prop())
                        .ifPresent(value -> ParameterStyle.query(parameter, asSent(parameter, value))
                                .forEach(pair -> pairs.add(pair.toString()))));
        return pairs;
    }

    private record Content(Buffer data, String contentType) {}

    private Optional<Content> body() {
        return plan.body().flatMap(body -> switch (body.form()) {
            case "json" -> json(body).map(value -> new Content(Buffer.buffer(Json.bytes(value)), jsonType(body)));
            case "urlencoded" -> urlEncoded(body);
            case "multipart" -> multipart(body);
            case "text" ->
                whole(body).map(value -> new Content(Buffer.buffer(ParameterStyle.text(value)), body.mediaType()));
            default -> whole(body).map(value -> binary(body, value));
        });
    }

    private static String jsonType(RequestPlan.Body body) {
        return body.mediaType().contains("*") ? "application/json" : body.mediaType();
    }

    private Optional<JsonNode> whole(RequestPlan.Body body) {
        return body.whole().flatMap(this::value);
    }

    private Optional<JsonNode> json(RequestPlan.Body body) {
        if (body.whole().isPresent()) {
            return whole(body).map(RequestWriter::withoutFiles);
        }
        var object = Json.object();
        body.fields()
                .forEach(field -> value(field.prop())
                        .filter(value -> !isUntouched(field, value))
                        .ifPresent(value -> object.set(field.name(), withoutFiles(value))));
        return object.isEmpty() ? Optional.empty() : Optional.of(object);
    }

    /** Editors store an empty text for a field that was not filled in. */
    private static boolean isUntouched(RequestPlan.Field field, JsonNode value) {
        return value.isTextual() && value.textValue().isEmpty() && !field.type().endsWith("_TEXT");
    }

    /** A file inside JSON is its content in base64. */
    private static JsonNode withoutFiles(JsonNode value) {
        return FileValue.of(value).<JsonNode>map(file -> value.path("data")).orElse(value);
    }

    private Optional<Content> urlEncoded(RequestPlan.Body body) {
        var pairs = new ArrayList<String>();
        fields(body)
                .forEach(field -> pairs.addAll(ParameterStyle.form(field.field(), field.value()).stream()
                        .map(ParameterStyle.Pair::toString)
                        .toList()));
        return pairs.isEmpty()
                ? Optional.empty()
                : Optional.of(new Content(Buffer.buffer(String.join("&", pairs)), body.mediaType()));
    }

    private record FieldInput(RequestPlan.Field field, JsonNode value) {}

    private List<FieldInput> fields(RequestPlan.Body body) {
        var given = new ArrayList<FieldInput>();
        whole(body)
                .ifPresent(whole -> whole.properties()
                        .forEach(entry -> given.add(new FieldInput(
                                new RequestPlan.Field("", entry.getKey(), "", "form", true, ""), entry.getValue()))));
        body.fields().forEach(field -> value(field.prop()).ifPresent(value -> given.add(new FieldInput(field, value))));
        return given;
    }

    private Optional<Content> multipart(RequestPlan.Body body) {
        var parts = new ArrayList<FormField>();
        fields(body).forEach(given -> part(given.field().name(), given.value(), parts));
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        var written = MultipartBody.of(parts);
        return Optional.of(new Content(written.content(), written.contentType()));
    }

    private static void part(String name, JsonNode value, List<FormField> parts) {
        var file = FileValue.of(value).or(() -> FileValue.of(value.path("file")));
        if (file.isPresent()) {
            parts.add(new FormField(
                    name,
                    Optional.empty(),
                    Optional.of(new FormField.FileContent(
                            file.get().fileName(), file.get().data()))));
        } else if (value.isArray()
                && value.valueStream()
                        .noneMatch(one -> one.isContainerNode()
                                && FileValue.of(one.path("file")).isEmpty()
                                && FileValue.of(one).isEmpty())) {
            value.forEach(item -> part(name, item, parts));
        } else {
            parts.add(FormField.ofText(name, ParameterStyle.text(value)));
        }
    }

    private static Content binary(RequestPlan.Body body, JsonNode value) {
        var file = FileValue.of(value).orElseThrow(() -> PieceFailure.of("Expected a file as the body, found none"));
        var type = body.mediaType().contains("*") ? FileNames.mediaTypeOf(file.fileName()) : body.mediaType();
        return new Content(file.data(), type);
    }
}
