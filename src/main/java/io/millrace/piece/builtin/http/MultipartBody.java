package io.millrace.piece.builtin.http;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.net.URLConnection;
import java.util.List;

/** Writes multipart/form-data. */
final class MultipartBody {
    private MultipartBody() {}

    static HttpBody of(List<FormField> fields) {
        var boundary = "----millrace" + Ids.random(24);
        var content = Buffer.buffer();
        var shown = Json.object();
        for (var field : fields) {
            content.appendString("--" + boundary + "\r\nContent-Disposition: form-data; name=\"")
                    .appendString(quoted(field.name()))
                    .appendString("\"");
            field.file()
                    .ifPresentOrElse(
                            file -> appendFile(content, file),
                            () -> content.appendString("\r\n\r\n")
                                    .appendString(field.text().orElse("")));
            content.appendString("\r\n");
            shown.put(
                    field.name(),
                    field.text()
                            .orElseGet(() -> "file "
                                    + field.file()
                                            .map(FormField.FileContent::fileName)
                                            .orElse("")));
        }
        content.appendString("--" + boundary + "--\r\n");
        return new HttpBody(content, "multipart/form-data; boundary=" + boundary, true, shown);
    }

    private static void appendFile(Buffer content, FormField.FileContent file) {
        var guessed = URLConnection.guessContentTypeFromName(file.fileName());
        content.appendString("; filename=\"" + quoted(file.fileName()) + "\"\r\nContent-Type: ")
                .appendString(guessed == null ? "application/octet-stream" : guessed)
                .appendString("\r\n\r\n")
                .appendBuffer(file.data());
    }

    /** Names are escaped as browsers do it, so that no name can begin a header or a part of its own. */
    private static String quoted(String name) {
        return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }
}
