package io.millrace.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Json;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;

/** Reads a multipart form with files into one JSON value: a file is the binary value of its field. */
final class FormReader {
    private FormReader() {}

    /** Whether a request brings such a form. */
    static boolean isForm(RoutingContext context) {
        var type = context.request().getHeader("Content-Type");
        return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith("multipart/form-data");
    }

    /** The form; must be asked for before the request's first byte is read. */
    static Future<JsonNode> read(HttpServerRequest request, long bytesMax) {
        var form = Promise.<JsonNode>promise();
        var files = Json.object();
        try {
            request.setExpectMultipart(true);
        } catch (DecoderException malformed) {
            return Future.failedFuture(malformedForm());
        }
        request.handler(_ -> {
            if (request.bytesRead() > bytesMax) {
                form.tryFail(ApiException.of(ErrorCode.BODY_TOO_LARGE, "Request body is too large"));
            }
        });
        request.uploadHandler(upload -> collect(upload, files, form.future()));
        request.exceptionHandler(_ -> form.tryFail(malformedForm()));
        request.endHandler(_ -> {
            ObjectNode body = Json.object();
            request.formAttributes().forEach(field -> body.put(field.getKey(), field.getValue()));
            form.tryComplete(body.setAll(files));
        });
        return form.future();
    }

    /** Keeps a file in memory; once the form is refused, what still arrives is dropped. */
    private static void collect(HttpServerFileUpload upload, ObjectNode files, Future<JsonNode> form) {
        var data = Buffer.buffer();
        upload.handler(chunk -> {
            if (!form.isComplete()) {
                data.appendBuffer(chunk);
            }
        });
        upload.endHandler(_ -> files.set(upload.name(), BinaryNode.valueOf(data.getBytes())));
    }

    private static ApiException malformedForm() {
        return ApiException.of(ErrorCode.INVALID_INPUT, "body/ Invalid multipart form");
    }
}
