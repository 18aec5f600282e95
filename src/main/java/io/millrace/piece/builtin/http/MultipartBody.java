package io.millrace.piece.builtin.http;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.piece.input.FileNames;
import io.vertx.core.buffer.Buffer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

public final class MultipartBody {
    private MultipartBody() {}

    public static HttpBody of(List<FormField> fields) {
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
        content.appendString("; filename=\"" + quoted(file.fileName()) + "\"\r\nContent-Type: ")
                .appendString(FileNames.mediaTypeOf(file.fileName()))
                .appendString("\r\n\r\n")
                .appendBuffer(file.data());
    }

    /** Percent-encodes quotes and control characters, as browsers do, so that no name begins a header or a part. */
    private static String quoted(String name) {
        var text = new StringBuilder(name.length());
        name.chars().forEach(c -> {
            if (c == '"' || Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                text.append(URLEncoder.encode(Character.toString(c), StandardCharsets.UTF_8));
            } else {
                text.append((char) c);
            }
        });
        return text.toString();
    }
}
