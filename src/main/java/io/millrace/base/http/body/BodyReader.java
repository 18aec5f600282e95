package io.millrace.base.http.body;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FreeForm;
import io.millrace.base.core.memory.JsonWeight;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Turns the collected body of an API request into a JSON value (contract admin-api 1.3, 1.5).
 *
 * <p>JSON, url-encoded forms and multipart forms are read; everything else with a body is refused.
 *
 * @param mayBeLarge check that the caller may send a large body
 * @param deep true if the route takes a chain of steps, which may be nested deeper than other input
 */
public record BodyReader(
        BodyReception bodies, long bytesMax, Function<RoutingContext, Future<?>> mayBeLarge, boolean deep) {
    /** A larger body is parsed on a worker: 1 MB takes about 10 ms, too long for an event loop. */
    private static final int PARSED_IN_PLACE_BYTES_MAX = 256 * 1024;

    private static final String PLAIN = "identity";

    private static final Set<HttpMethod> WITH_BODY =
            Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);

    public BodyReader upTo(long bytes) {
        return new BodyReader(bodies, Math.min(bytesMax, bytes), mayBeLarge, deep);
    }

    /** The body as JSON; a missing node when there is none. */
    public Future<JsonNode> read(RoutingContext context) {
        if (!WITH_BODY.contains(context.request().method())) {
            return Future.succeededFuture(MissingNode.getInstance());
        }
        if (isPacked(context)) {
            context.response().putHeader("Accept-Encoding", PLAIN);
            return Future.failedFuture(unsupported());
        }
        var type = mediaType(context.request().getHeader("Content-Type"));
        return switch (type) {
            case "application/json" -> bytes(context).compose(body -> json(context, body));
            case "application/scim+json" ->
                bytes(context)
                        .compose(body -> isDeletion(context) && body.length == 0
                                ? Future.succeededFuture(MissingNode.getInstance())
                                : json(context, body));
            case "application/x-www-form-urlencoded", "multipart/form-data" ->
                form(context).map(_ -> formOf(context.request().formAttributes()));
            default ->
                bytes(context)
                        .compose(body -> body.length == 0
                                ? Future.succeededFuture(MissingNode.getInstance())
                                : Future.failedFuture(unsupported()));
        };
    }

    private Future<byte[]> bytes(RoutingContext context) {
        return bodies.bytes(context, bytesMax, () -> mayBeLarge.apply(context));
    }

    Future<Void> form(RoutingContext context) {
        return bodies.form(context, bytesMax, () -> mayBeLarge.apply(context));
    }

    /** A compressed body is never decompressed; the refusal names the accepted encodings (RFC 9110, 12.5.3). */
    private static boolean isPacked(RoutingContext context) {
        var encoding = context.request().getHeader("Content-Encoding");
        return encoding != null && !encoding.isBlank() && !encoding.strip().equalsIgnoreCase(PLAIN);
    }

    private static ApiException unsupported() {
        return ApiException.of(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Unsupported Media Type");
    }

    /** Directory services send a content type even with a DELETE without a body. */
    private static boolean isDeletion(RoutingContext context) {
        return context.request().method().equals(HttpMethod.DELETE);
    }

    private Future<JsonNode> json(RoutingContext context, byte[] body) {
        if (body.length == 0) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.EMPTY_JSON_BODY, "Body cannot be empty when content-type is set to 'application/json'"));
        }
        if (body.length <= PARSED_IN_PLACE_BYTES_MAX) {
            return parse(body);
        }
        var permit = bodies.permit(context);
        return context.vertx()
                .executeBlocking(
                        () -> {
                            permit.take(JsonWeight.of(body));
                            return parse(body);
                        },
                        false)
                .compose(parsed -> parsed);
    }

    private Future<JsonNode> parse(byte[] bytes) {
        try {
            var parsed = deep ? DeepJson.parse(bytes) : Json.parse(bytes);
            // White space has no value.
            return parsed.isMissingNode() ? Future.failedFuture(malformed()) : Future.succeededFuture(parsed);
        } catch (JsonProcessingException malformed) {
            return Future.failedFuture(FreeForm.tooDeepField(bytes)
                    .or(() -> malformed instanceof StreamConstraintsException beyond
                            ? Optional.of(" " + FreeForm.exceeded(beyond))
                            : Optional.empty())
                    .map(field -> ApiException.of(ErrorCode.INVALID_INPUT, "body/" + field))
                    .orElseGet(BodyReader::malformed));
        }
    }

    private static ApiException malformed() {
        return ApiException.of(
                ErrorCode.MALFORMED_JSON, "Body is not valid JSON but content-type is set to 'application/json'");
    }

    /** A repeated key makes an array, as in a query; the reader of the input decides which value counts. */
    private static ObjectNode formOf(MultiMap attributes) {
        var form = Json.object();
        for (var attribute : attributes) {
            var name = attribute.getKey();
            switch (form.get(name)) {
                case null -> form.put(name, attribute.getValue());
                case ArrayNode values -> values.add(attribute.getValue());
                case JsonNode earlier -> form.putArray(name).add(earlier).add(attribute.getValue());
            }
        }
        return form;
    }

    private static String mediaType(String header) {
        if (header == null) {
            return "";
        }
        var end = header.indexOf(';');
        return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }
}
