package io.millrace.base.http.body;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;

/** Reads a multipart form with files into one JSON value: a file is the binary value of its field. */
public record FormReader(BodyReader bodies) {
    public static boolean isForm(RoutingContext context) {
        var type = context.request().getHeader("Content-Type");
        return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith("multipart/form-data");
    }

    /** Call it before the request's first byte is read. */
    public Future<JsonNode> read(RoutingContext context) {
        var files = Json.object();
        var request = context.request();
        request.uploadHandler(upload -> collect(upload, files));
        return bodies.form(context).map(_ -> {
            ObjectNode body = Json.object();
            request.formAttributes().forEach(field -> body.put(field.getKey(), field.getValue()));
            return body.setAll(files);
        });
    }

    /** Collects a file in memory; drops all further data once the form is refused. */
    private static void collect(HttpServerFileUpload upload, ObjectNode files) {
        var data = new BodyBytes(0);
        upload.handler(data::append);
        upload.endHandler(
                _ -> files.set(upload.name(), new UploadedFile(data.take(), upload.filename(), upload.contentType())));
    }
}
