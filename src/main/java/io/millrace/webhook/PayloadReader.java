package io.millrace.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Json;
import io.millrace.webhook.Webhooks.Upload;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Turns a request of any kind into the payload that a trigger gets (contract flows-and-engine 17.3, 17.4). What is
 * larger than the limit is refused while it arrives.
 */
final class PayloadReader {
    /** A larger body is parsed on a worker, so that the event loop stays free. */
    private static final int PARSED_IN_PLACE_BYTES_MAX = 256 * 1024;

    /** Methods whose forms are read; a form of any other method is a text. */
    private static final Set<HttpMethod> WITH_FORM =
            Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE);

    private final long bytesMax;

    PayloadReader(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** The pieces of a body until it is whole: a buffer that grows would copy them over and over. */
    private static final class Body {
        private final List<Buffer> chunks = new ArrayList<>();
        private int length;

        void add(Buffer chunk) {
            chunks.add(chunk);
            length += chunk.length();
        }

        byte[] bytes() {
            var whole = new byte[length];
            var at = 0;
            for (var chunk : chunks) {
                chunk.getBytes(whole, at);
                at += chunk.length();
            }
            return whole;
        }
    }

    /** A payload, and the files that are to be kept before the payload is whole. */
    record Payload(ObjectNode payload, List<Upload> uploads) {}

    /** Reads a request; must be called before the request's body has begun to arrive. */
    Future<Payload> read(HttpServerRequest request) {
        if (isTooLarge(request.getHeader(HttpHeaders.CONTENT_LENGTH))) {
            return Future.failedFuture(tooLarge());
        }
        var envelope = Envelope.of(request);
        if (request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        var type = ContentType.of(request.getHeader(HttpHeaders.CONTENT_TYPE));
        if (!type.isMultipart() || !WITH_FORM.contains(request.method())) {
            return whole(request, type, envelope);
        }
        return type.hasBoundary() ? multipart(request, envelope) : Future.failedFuture(malformedForm());
    }

    private boolean isTooLarge(String contentLength) {
        try {
            return contentLength != null && Long.parseLong(contentLength) > bytesMax;
        } catch (NumberFormatException malformed) {
            return false;
        }
    }

    private Future<Payload> whole(HttpServerRequest request, ContentType type, ObjectNode envelope) {
        var promise = Promise.<byte[]>promise();
        var body = new Body();
        request.handler(chunk -> {
            if (body.length + (long) chunk.length() > bytesMax) {
                request.handler(null);
                promise.tryFail(tooLarge());
            } else {
                body.add(chunk);
            }
        });
        request.exceptionHandler(
                _ -> promise.tryFail(ApiException.of(ErrorCode.INVALID_INPUT, "body/ The request is malformed")));
        request.endHandler(_ -> promise.tryComplete(body.bytes()));
        return promise.future().compose(read -> payload(envelope, type, read));
    }

    private static Future<Payload> payload(ObjectNode payload, ContentType type, byte[] body) {
        if (body.length == 0) {
            payload.putObject("body");
            return Future.succeededFuture(new Payload(payload, List.of()));
        }
        if (type.isBinary()) {
            var upload = new Upload(null, "body." + type.extension(), type.media(), Buffer.buffer(body));
            return Future.succeededFuture(new Payload(payload, List.of(upload)));
        }
        if (type.isJson()) {
            return json(body, type.charset()).map(value -> {
                payload.set("body", value);
                return new Payload(payload.put("rawBody", new String(body, type.charset())), List.of());
            });
        }
        var text = new String(body, type.charset());
        payload.set("body", type.isForm() ? Envelope.form(text, type.charset()) : TextNode.valueOf(text));
        return Future.succeededFuture(new Payload(payload.put("rawBody", text), List.of()));
    }

    private static Future<JsonNode> json(byte[] body, Charset charset) {
        return body.length <= PARSED_IN_PLACE_BYTES_MAX
                ? parse(body, charset)
                : Vertx.currentContext()
                        .owner()
                        .executeBlocking(() -> parse(body, charset), false)
                        .compose(parsed -> parsed);
    }

    private static Future<JsonNode> parse(byte[] body, Charset charset) {
        try {
            var value =
                    charset.equals(StandardCharsets.UTF_8) ? Json.parse(body) : Json.parse(new String(body, charset));
            return value.isMissingNode() ? Future.failedFuture(malformedJson()) : Future.succeededFuture(value);
        } catch (JsonProcessingException malformed) {
            return Future.failedFuture(malformedJson());
        }
    }

    private Future<Payload> multipart(HttpServerRequest request, ObjectNode payload) {
        var promise = Promise.<Payload>promise();
        var uploads = new ArrayList<Upload>();
        try {
            request.setExpectMultipart(true);
        } catch (DecoderException malformed) {
            return Future.failedFuture(malformedForm());
        }
        request.handler(_ -> {
            if (request.bytesRead() > bytesMax) {
                promise.tryFail(tooLarge());
            }
        });
        request.uploadHandler(upload -> collect(upload, uploads, promise.future()));
        request.exceptionHandler(_ -> promise.tryFail(malformedForm()));
        request.endHandler(_ -> {
            payload.set("body", Envelope.fields(request.formAttributes()));
            promise.tryComplete(new Payload(payload, List.copyOf(uploads)));
        });
        return promise.future();
    }

    /** Keeps a file in memory; once the form is refused, what still arrives is dropped. */
    private static void collect(HttpServerFileUpload upload, List<Upload> uploads, Future<Payload> form) {
        var data = Buffer.buffer();
        upload.handler(chunk -> {
            if (!form.isComplete()) {
                data.appendBuffer(chunk);
            }
        });
        upload.endHandler(_ -> uploads.add(new Upload(upload.name(), upload.filename(), upload.contentType(), data)));
    }

    private static ApiException tooLarge() {
        return ApiException.of(ErrorCode.BODY_TOO_LARGE, "Request Too Long");
    }

    private static ApiException malformedForm() {
        return ApiException.of(ErrorCode.INVALID_INPUT, "body/ Invalid multipart form");
    }

    private static ApiException malformedJson() {
        return ApiException.of(
                ErrorCode.MALFORMED_JSON, "Body is not valid JSON but content-type is set to 'application/json'");
    }
}
