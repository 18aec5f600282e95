package io.millrace.engine.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.config.WebhookSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FreeForm;
import io.millrace.base.core.memory.JsonWeight;
import io.millrace.base.core.text.CharsetNames;
import io.millrace.base.core.text.MediaType;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.base.http.body.BodyBudget;
import io.millrace.base.http.body.BodyReception;
import io.millrace.base.http.body.ReceivedBody;
import io.millrace.engine.webhook.Webhooks.Upload;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Turns a request of any kind into the payload that a trigger gets (contract flows-and-engine 17.3, 17.4). A body is refused if
 * its decompressed size exceeds the limit or the available memory. Bytes that are not text are stored as a file; no byte is
 * replaced (decision 0396).
 */
final class PayloadReader {
    /** A larger body is parsed on a worker, so that the event loop stays free. */
    private static final int PARSED_IN_PLACE_BYTES_MAX = 256 * 1024;

    /** Memory of the copies that are made of a payload on its way into the database, as a multiple of the body length. */
    private static final int WRITTEN_LENGTHS = 3;

    /** Methods whose forms are read; a form of any other method is a text. */
    private static final Set<HttpMethod> WITH_FORM =
            Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);

    private static final String UNDECODED =
            "expected text in the charset of content-type, its byte order mark or declaration, or UTF-8; found other"
                    + " bytes, which are kept as a file";

    /** Charset field of a form in another charset than UTF-8 (HTML standard, {@code _charset_}). */
    private static final Pattern FORM_CHARSET = Pattern.compile("(?:^|&)_charset_=([A-Za-z0-9._:-]{1,64})(?:&|$)");

    private final BodyReception bodies;
    private final long bytesMax;
    private final long rawBytesMax;
    private final long memoryBytesMax;

    PayloadReader(BodyReception bodies, WebhookSettings settings) {
        this.bodies = bodies;
        this.bytesMax = settings.payloadBytesMax();
        this.rawBytesMax = settings.rawBodyBytesMax();
        this.memoryBytesMax = Math.max(rawBytesMax, PARSED_IN_PLACE_BYTES_MAX);
    }

    /** A payload, and the files that are to be kept before the payload is whole. */
    record Payload(ObjectNode payload, List<Upload> uploads) {}

    /**
     * Reads a request; must be called before the body of the request starts to arrive.
     *
     * @param mayBeLarge check before a large body is read; its failure refuses the request
     */
    Future<Payload> read(RoutingContext context, Supplier<Future<?>> mayBeLarge) {
        var request = context.request();
        var envelope = Envelope.of(request);
        var type = MediaType.of(request.getHeader(HttpHeaders.CONTENT_TYPE));
        if (isForm(context, type) && type.boundary().isEmpty()) {
            return Future.failedFuture(malformedForm());
        }
        Unpacking unpacking;
        try {
            unpacking = Unpacking.of(request.headers().getAll(HttpHeaders.CONTENT_ENCODING), bytesMax);
        } catch (ApiException unsupported) {
            context.response().putHeader(HttpHeaders.ACCEPT_ENCODING, Unpacking.ACCEPTED);
            return Future.failedFuture(unsupported);
        }
        return bodies.received(context, bytesMax, memoryBytesMax, mayBeLarge)
                .compose(body -> body.isOnDisk() || unpacking.isNeeded()
                        ? onWorker(context, envelope, type, body, unpacking)
                        : payload(context, envelope, type, body.take()));
    }

    private static boolean isForm(RoutingContext context, MediaType type) {
        return type.isMultipart() && WITH_FORM.contains(context.request().method());
    }

    /** A value that is too large for its text to be kept is read from disk as a tree, without ever being a text. */
    private Future<Payload> onWorker(
            RoutingContext context, ObjectNode payload, MediaType type, ReceivedBody body, Unpacking unpacking) {
        var permit = bodies.permit(context);
        return context.vertx()
                .executeBlocking(
                        () -> {
                            if (unpacking.isNeeded()) {
                                var packed = body.isOnDisk() ? onDisk(body, permit) : body.take();
                                var bytes = unpacking.unpacked(packed, permit);
                                permit.take((type.isJson() ? JsonWeight.of(bytes) : bytes.length)
                                        + WRITTEN_LENGTHS * (long) bytes.length);
                                return whole(context, payload, type, bytes);
                            }
                            if (type.isJson() && isPlainJson(type)) {
                                permit.take(written(body, JsonWeight.of(body.open())));
                                payload.set("body", json(body));
                                return new Payload(payload, List.of());
                            }
                            permit.take(WRITTEN_LENGTHS * body.length());
                            return whole(context, payload, type, onDisk(body, permit));
                        },
                        false);
    }

    /** Returns true if the parser detects the charset. */
    private static boolean isPlainJson(MediaType type) {
        return type.charset()
                .flatMap(ReceivedText::charsetOf)
                .map(StandardCharsets.UTF_8::equals)
                .orElse(true);
    }

    /** Reads a body from disk into one array of known length: a stream of unknown length would need twice the memory. */
    private static byte[] onDisk(ReceivedBody body, BodyBudget.Permit permit) throws IOException {
        permit.take(body.length());
        var bytes = new byte[Math.toIntExact(body.length())];
        try (var content = body.open()) {
            content.readNBytes(bytes, 0, bytes.length);
        }
        return bytes;
    }

    private static long written(ReceivedBody body, long bytes) throws IOException {
        return bytes + WRITTEN_LENGTHS * body.length();
    }

    private static JsonNode json(ReceivedBody body) throws IOException {
        try {
            return present(Json.parse(body.open()));
        } catch (JsonProcessingException malformed) {
            throw malformedJson(malformed);
        }
    }

    private Future<Payload> payload(RoutingContext context, ObjectNode payload, MediaType type, byte[] body) {
        if (body.length <= PARSED_IN_PLACE_BYTES_MAX || type.content() == MediaType.Content.BINARY) {
            return Future.succeededFuture(whole(context, payload, type, body));
        }
        var permit = bodies.permit(context);
        return context.vertx()
                .executeBlocking(
                        () -> {
                            permit.take((type.isJson() ? JsonWeight.of(body) : body.length)
                                    + WRITTEN_LENGTHS * (long) body.length);
                            return whole(context, payload, type, body);
                        },
                        false);
    }

    private Payload whole(RoutingContext context, ObjectNode payload, MediaType type, byte[] body) {
        if (body.length == 0) {
            payload.putObject("body");
            return new Payload(payload, List.of());
        }
        if (isForm(context, type)) {
            var form =
                    MultipartForm.read(body, type.boundary().orElseThrow(PayloadReader::malformedForm), type.charset());
            payload.set("body", form.fields());
            return new Payload(payload, form.uploads());
        }
        var text = type.content() == MediaType.Content.BINARY
                ? Optional.<ReceivedText>empty()
                : ReceivedText.of(body, type)
                        .filter(found -> type.content() == MediaType.Content.TEXT || !found.hasControls());
        if (type.isJson()) {
            return jsonPayload(payload, body, text.orElseThrow(PayloadReader::malformedJson));
        }
        if (text.isEmpty()) {
            if (type.content() == MediaType.Content.TEXT) {
                payload.putObject("body").put("reason", UNDECODED);
            }
            return new Payload(payload, List.of(upload(type, body)));
        }
        var rawBody = text.get().whole();
        payload.set(
                "body",
                type.isForm() ? form(text.get()) : TextNode.valueOf(text.get().text()));
        return new Payload(payload.put("rawBody", rawBody), List.of());
    }

    /** A file in place of the body; its media type is that of bytes when the caller named a type of text. */
    private static Upload upload(MediaType type, byte[] body) {
        var isBinary = type.content() == MediaType.Content.BINARY;
        var media = type.name().isEmpty() ? "application/octet-stream" : type.name();
        return new Upload(null, "body." + (isBinary ? type.extension() : "bin"), media, Buffer.buffer(body));
    }

    private Payload jsonPayload(ObjectNode payload, byte[] body, ReceivedText text) {
        try {
            payload.set(
                    "body",
                    present(
                            text.charset().equals(StandardCharsets.UTF_8)
                                    ? Json.parse(body)
                                    : Json.parse(text.text())));
        } catch (JsonProcessingException malformed) {
            throw malformedJson(malformed);
        }
        // The text and the tree of a large value together would use too much heap.
        return new Payload(body.length <= rawBytesMax ? payload.put("rawBody", text.whole()) : payload, List.of());
    }

    private static ObjectNode form(ReceivedText text) {
        var named = FORM_CHARSET.matcher(text.text());
        var charset =
                named.find() ? ReceivedText.charsetOf(named.group(1)).orElse(StandardCharsets.UTF_8) : text.charset();
        return Envelope.form(text.text(), CharsetNames.larger(charset).orElse(charset));
    }

    private static JsonNode present(JsonNode value) {
        if (value.isMissingNode()) {
            throw malformedJson();
        }
        return value;
    }

    private static ApiException malformedForm() {
        return ApiException.of(ErrorCode.INVALID_INPUT, "body/ Invalid multipart form: content-type names no boundary");
    }

    private static ApiException malformedJson(JsonProcessingException malformed) {
        return malformed instanceof StreamConstraintsException beyond
                ? ApiException.of(ErrorCode.INVALID_INPUT, "body/ " + FreeForm.exceeded(beyond))
                : malformedJson();
    }

    private static ApiException malformedJson() {
        return ApiException.of(
                ErrorCode.MALFORMED_JSON, "Body is not valid JSON but content-type is set to 'application/json'");
    }
}
