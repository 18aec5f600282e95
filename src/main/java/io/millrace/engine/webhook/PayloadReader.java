package io.millrace.engine.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.JsonWeight;
import io.millrace.base.http.body.BodyBytes;
import io.millrace.base.http.body.BodyReception;
import io.millrace.base.http.body.ReceivedBody;
import io.millrace.engine.webhook.Webhooks.Upload;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Turns a request of any kind into the payload that a trigger gets (contract flows-and-engine 17.3, 17.4). What is
 * larger than the limit is refused while it arrives, and so is what there is no memory for.
 */
final class PayloadReader {
    /** A larger body is parsed on a worker, so that the event loop stays free. */
    private static final int PARSED_IN_PLACE_BYTES_MAX = 256 * 1024;

    /** What is made of a large payload on its way into the database, in lengths of its text. */
    private static final int WRITTEN_LENGTHS = 3;

    /** Methods whose forms are read; a form of any other method is a text. */
    private static final Set<HttpMethod> WITH_FORM =
            Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);

    private final BodyReception bodies;
    private final long bytesMax;
    private final long rawBytesMax;
    private final long memoryBytesMax;

    PayloadReader(BodyReception bodies, Config.Webhooks settings) {
        this.bodies = bodies;
        this.bytesMax = settings.payloadBytesMax();
        this.rawBytesMax = settings.rawBodyBytesMax();
        this.memoryBytesMax = Math.max(rawBytesMax, PARSED_IN_PLACE_BYTES_MAX);
    }

    /** A payload, and the files that are to be kept before the payload is whole. */
    record Payload(ObjectNode payload, List<Upload> uploads) {}

    /**
     * Reads a request; must be called before the request's body has begun to arrive.
     *
     * @param mayBeLarge asked before a large body is read; its failure is the refusal
     */
    Future<Payload> read(RoutingContext context, Supplier<Future<?>> mayBeLarge) {
        var request = context.request();
        var envelope = Envelope.of(request);
        var type = ContentType.of(request.getHeader(HttpHeaders.CONTENT_TYPE));
        if (type.isMultipart() && WITH_FORM.contains(request.method())) {
            return type.hasBoundary() ? multipart(context, envelope, mayBeLarge) : Future.failedFuture(malformedForm());
        }
        return bodies.received(context, bytesMax, memoryBytesMax, mayBeLarge)
                .compose(body -> body.isOnDisk()
                        ? fromDisk(context, envelope, type, body)
                        : payload(context, envelope, type, body.take()));
    }

    /** A value that is too large for its text to be kept is read from disk as a tree, without ever being a text. */
    private Future<Payload> fromDisk(RoutingContext context, ObjectNode payload, ContentType type, ReceivedBody body) {
        var permit = bodies.permit(context);
        return context.vertx()
                .executeBlocking(
                        () -> {
                            if (type.isJson() && type.charset().equals(StandardCharsets.UTF_8)) {
                                permit.take(written(body, JsonWeight.of(body.open())));
                                payload.set("body", json(body));
                                return new Payload(payload, List.of());
                            }
                            permit.take(written(body, body.length()));
                            var bytes = whole(body);
                            return type.isBinary() ? upload(payload, type, bytes) : text(payload, type, bytes);
                        },
                        false);
    }

    /** A stream that does not know its length would collect it in pieces first, and hold it twice. */
    private static byte[] whole(ReceivedBody body) throws IOException {
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
            throw malformedJson();
        }
    }

    private Future<Payload> payload(RoutingContext context, ObjectNode payload, ContentType type, byte[] body) {
        if (body.length == 0) {
            payload.putObject("body");
            return Future.succeededFuture(new Payload(payload, List.of()));
        }
        if (type.isBinary()) {
            return Future.succeededFuture(upload(payload, type, body));
        }
        return body.length <= PARSED_IN_PLACE_BYTES_MAX
                ? Future.succeededFuture(text(payload, type, body))
                : largeText(context, payload, type, body);
    }

    private static Payload upload(ObjectNode payload, ContentType type, byte[] body) {
        var upload = new Upload(null, "body." + type.extension(), type.media(), Buffer.buffer(body));
        return new Payload(payload, List.of(upload));
    }

    private Future<Payload> largeText(RoutingContext context, ObjectNode payload, ContentType type, byte[] body) {
        var permit = bodies.permit(context);
        return context.vertx()
                .executeBlocking(
                        () -> {
                            permit.take((type.isJson() ? JsonWeight.of(body) : body.length)
                                    + WRITTEN_LENGTHS * (long) body.length);
                            return text(payload, type, body);
                        },
                        false);
    }

    private Payload text(ObjectNode payload, ContentType type, byte[] body) {
        if (type.isJson()) {
            payload.set("body", json(body, type.charset()));
            // The text and the tree of a large value together would be what the heap has least of.
            return new Payload(
                    body.length <= rawBytesMax ? payload.put("rawBody", new String(body, type.charset())) : payload,
                    List.of());
        }
        var text = new String(body, type.charset());
        payload.set("body", type.isForm() ? Envelope.form(text, type.charset()) : TextNode.valueOf(text));
        return new Payload(payload.put("rawBody", text), List.of());
    }

    private static JsonNode json(byte[] body, Charset charset) {
        try {
            return present(
                    charset.equals(StandardCharsets.UTF_8) ? Json.parse(body) : Json.parse(new String(body, charset)));
        } catch (JsonProcessingException malformed) {
            throw malformedJson();
        }
    }

    private static JsonNode present(JsonNode value) {
        if (value.isMissingNode()) {
            throw malformedJson();
        }
        return value;
    }

    private Future<Payload> multipart(RoutingContext context, ObjectNode payload, Supplier<Future<?>> mayBeLarge) {
        var uploads = new ArrayList<Upload>();
        var request = context.request();
        request.uploadHandler(upload -> collect(upload, uploads));
        return bodies.form(context, bytesMax, mayBeLarge)
                .recover(refusal -> Future.failedFuture(isMalformed(refusal) ? malformedForm() : refusal))
                .map(_ -> {
                    payload.set("body", Envelope.fields(request.formAttributes()));
                    return new Payload(payload, List.copyOf(uploads));
                });
    }

    private static boolean isMalformed(Throwable refusal) {
        return refusal instanceof ApiException known && known.code() == ErrorCode.INVALID_INPUT;
    }

    /** Keeps a file in memory; once the form is refused, nothing of it comes any more. */
    private static void collect(HttpServerFileUpload upload, List<Upload> uploads) {
        var data = new BodyBytes(0);
        upload.handler(data::append);
        upload.endHandler(_ -> uploads.add(
                new Upload(upload.name(), upload.filename(), upload.contentType(), Buffer.buffer(data.take()))));
    }

    private static ApiException malformedForm() {
        return ApiException.of(ErrorCode.INVALID_INPUT, "body/ Invalid multipart form");
    }

    private static ApiException malformedJson() {
        return ApiException.of(
                ErrorCode.MALFORMED_JSON, "Body is not valid JSON but content-type is set to 'application/json'");
    }

    /**
     * What a caller says its body is.
     *
     * @param media type and subtype in lower case; empty when the caller says nothing
     * @param charset how text is encoded; UTF-8 when the caller says nothing or names an unknown one
     * @param hasBoundary whether it is a form in parts, and the mark between them is named
     */
    private record ContentType(String media, Charset charset, boolean hasBoundary) {
        private static final String MULTIPART = "multipart/form-data";

        private static final Pattern BOUNDARY = Pattern.compile("(?i);\\s*boundary=(\"[^\"]+\"|[^\";\\s])");

        private static final Set<String> BINARY =
                Set.of("application/pdf", "application/zip", "application/gzip", "application/octet-stream");

        /** Reads a header, which may be null. */
        static ContentType of(String header) {
            if (header == null) {
                return new ContentType("", StandardCharsets.UTF_8, false);
            }
            var end = header.indexOf(';');
            var media = (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
            var hasBoundary =
                    media.equals(MULTIPART) && BOUNDARY.matcher(header).find();
            return new ContentType(media, charsetOf(header), hasBoundary);
        }

        boolean isJson() {
            return media.equals("application/json") || media.endsWith("+json");
        }

        boolean isForm() {
            return media.equals("application/x-www-form-urlencoded");
        }

        boolean isMultipart() {
            return media.equals(MULTIPART);
        }

        /** Whether the body is kept as a file (contract flows-and-engine 17.4). */
        boolean isBinary() {
            return media.startsWith("image/")
                    || media.startsWith("video/")
                    || media.startsWith("audio/")
                    || BINARY.contains(media);
        }

        /** Extension of a file with such a content. */
        String extension() {
            var subtype = media.substring(media.indexOf('/') + 1);
            return subtype.matches("[a-z0-9]{1,10}") ? subtype : "bin";
        }

        private static Charset charsetOf(String header) {
            var mark = header.toLowerCase(Locale.ROOT).indexOf("charset=");
            if (mark < 0) {
                return StandardCharsets.UTF_8;
            }
            var name = header.substring(mark + "charset=".length())
                    .split("[;\\s]", 2)[0]
                    .replace("\"", "");
            try {
                return Charset.forName(name);
            } catch (IllegalArgumentException unknown) {
                return StandardCharsets.UTF_8;
            }
        }
    }
}
