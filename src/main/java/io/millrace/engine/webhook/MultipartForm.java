package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.Base64Text;
import io.millrace.base.core.text.HeaderValue;
import io.millrace.base.core.text.MediaType;
import io.millrace.base.core.text.PercentText;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.base.core.text.ShownText;
import io.millrace.engine.webhook.Webhooks.Upload;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads multipart/form-data (RFC 7578): text fields in their charset, files, a list of files in one field
 * (multipart/mixed), and transfer encodings of parts. A part that is not text in its charset is kept as a file. Pure.
 */
final class MultipartForm {
    private static final int HEADER_BYTES_MAX = 64 * 1024;
    private static final int NESTED_MAX = 2;
    private static final int SHOWN_CHARACTERS_MAX = 100;

    private final ObjectNode fields = Json.object();
    private final List<Upload> uploads = new ArrayList<>();
    private final List<Text> texts = new ArrayList<>();
    private final Optional<String> charset;
    private int parts;

    /** A text field whose charset may be named by a later part. */
    private record Text(String name, Buffer content, MediaType type) {}

    private MultipartForm(Optional<String> charset) {
        this.charset = charset;
    }

    /** Text fields and uploaded files; the files are stored before their addresses are added to the fields. */
    record Read(ObjectNode fields, List<Upload> uploads) {}

    /**
     * Reads a whole body.
     *
     * @param charset of text fields that name none
     * @throws ApiException INVALID_INPUT when it is not a form, or has too many parts
     */
    static Read read(byte[] body, String boundary, Optional<String> charset) {
        var form = new MultipartForm(charset);
        form.parts(body, boundary, Optional.empty(), 1);
        form.decodeTexts();
        return new Read(form.fields, List.copyOf(form.uploads));
    }

    private void parts(byte[] body, String boundary, Optional<String> outerName, int depth) {
        var delimiter = ("--" + boundary).getBytes(StandardCharsets.UTF_8);
        var at = delimiterFrom(body, delimiter, 0);
        while (true) {
            if (at < 0) {
                throw malformed("expected the boundary that content-type names, found none");
            }
            var after = at + delimiter.length;
            if (after + 1 < body.length && body[after] == '-' && body[after + 1] == '-') {
                return;
            }
            var start = lineEnd(body, after);
            var next = delimiterFrom(body, delimiter, start);
            if (next < 0) {
                throw malformed("expected the boundary after the last part, found none");
            }
            part(body, start, contentEnd(body, start, next), outerName, depth);
            at = next;
        }
    }

    /** The next delimiter at the beginning of a line; -1 when there is none. */
    private static int delimiterFrom(byte[] body, byte[] delimiter, int from) {
        for (var at = from; at + delimiter.length <= body.length; at++) {
            if (body[at] == '-'
                    && (at == 0 || body[at - 1] == '\n')
                    && matches(body, at, delimiter)
                    && endsHere(body, at + delimiter.length)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean matches(byte[] body, int at, byte[] wanted) {
        for (var index = 0; index < wanted.length; index++) {
            if (body[at + index] != wanted[index]) {
                return false;
            }
        }
        return true;
    }

    /** A longer word that begins with the boundary is content. */
    private static boolean endsHere(byte[] body, int at) {
        var place = at;
        if (place + 1 < body.length && body[place] == '-' && body[place + 1] == '-') {
            return true;
        }
        while (place < body.length && (body[place] == ' ' || body[place] == '\t')) {
            place++;
        }
        return place < body.length && (body[place] == '\r' || body[place] == '\n');
    }

    private static int lineEnd(byte[] body, int from) {
        for (var at = from; at < body.length; at++) {
            if (body[at] == '\n') {
                return at + 1;
            }
        }
        throw malformed("expected a part after the boundary, found none");
    }

    /** The line end before a delimiter belongs to the delimiter. */
    private static int contentEnd(byte[] body, int start, int delimiter) {
        var end = delimiter - 1;
        return end > start && body[end - 1] == '\r' ? end - 1 : Math.max(start, end);
    }

    private void part(byte[] body, int start, int end, Optional<String> outerName, int depth) {
        if (++parts > Envelope.FIELDS_MAX) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "body/ Too big: expected a form of at most " + Envelope.FIELDS_MAX + " fields");
        }
        var headers = new PartHeaders(body, start, end);
        var disposition = HeaderValue.of(headers.get("content-disposition"));
        var name = text(disposition, "name").or(() -> outerName);
        var type = MediaType.of(headers.get("content-type"));
        if (type.name().startsWith("multipart/") && type.boundary().isPresent() && depth < NESTED_MAX) {
            var nested = transferred(name, body, headers.end(), end, headers.get("content-transfer-encoding"));
            parts(nested, type.boundary().get(), name, depth + 1);
            return;
        }
        var field = name.orElseThrow(() -> malformed("part " + parts + " has no name in content-disposition"));
        var content = transferred(name, body, headers.end(), end, headers.get("content-transfer-encoding"));
        var fileName = text(disposition, "filename");
        if (fileName.isPresent() || type.content() == MediaType.Content.BINARY) {
            uploads.add(upload(field, fileName.orElse(field + "." + type.extension()), headers, content));
        } else {
            texts.add(new Text(field, Buffer.buffer(content), type));
        }
    }

    private static Upload upload(String field, String fileName, PartHeaders headers, byte[] content) {
        var type = headers.get("content-type");
        return new Upload(field, fileName, type == null ? "application/octet-stream" : type, Buffer.buffer(content));
    }

    /** Browsers escape plain parameters; an extended one (RFC 8187) is decoded already. */
    private static Optional<String> text(HeaderValue disposition, String name) {
        var text = disposition.text(name);
        return disposition.parameters().containsKey(name + "*") ? text : text.map(MultipartForm::unescaped);
    }

    /** Browsers escape a quote and line ends in names (HTML standard, multipart form data). */
    private static String unescaped(String name) {
        return name.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
    }

    private static byte[] transferred(Optional<String> field, byte[] body, int from, int end, String encoding) {
        var content = new byte[end - from];
        System.arraycopy(body, from, content, 0, content.length);
        try {
            return switch (encoding == null ? "" : encoding.strip().toLowerCase(Locale.ROOT)) {
                case "base64" -> Base64Text.decoded(content);
                case "quoted-printable" -> unquoted(content);
                default -> content;
            };
        } catch (IllegalArgumentException malformed) {
            throw malformed("expected " + encoding.strip() + " in " + shown(field)
                    + ", as content-transfer-encoding says, found other bytes");
        }
    }

    private static String shown(Optional<String> field) {
        return field.map(name -> "the field " + ShownText.of(name, SHOWN_CHARACTERS_MAX))
                .orElse("a part without a name");
    }

    /** Undoes quoted-printable; white space at the end of an encoded line is not content (RFC 2045, 6.7). */
    private static byte[] unquoted(byte[] content) {
        var lines = withoutBlanksAtLineEnds(content);
        var bytes = new ByteArrayOutputStream(lines.length());
        var at = 0;
        while (at < lines.length()) {
            var next = lines.charAt(at);
            at++;
            if (next != '=') {
                bytes.write(next);
            } else if (at + 2 <= lines.length() && !lines.startsWith("\r\n", at) && lines.charAt(at) != '\n') {
                bytes.write(HexFormat.fromHexDigits(lines, at, at + 2));
                at += 2;
            } else {
                at = softBreakEnd(lines, at);
            }
        }
        return bytes.toByteArray();
    }

    /** Index after the line break, or the end of the content, that follows an equals sign. */
    private static int softBreakEnd(String lines, int at) {
        if (at == lines.length() || lines.charAt(at) == '\n') {
            return Math.min(lines.length(), at + 1);
        }
        if (lines.startsWith("\r\n", at)) {
            return at + 2;
        }
        throw new IllegalArgumentException("expected two hexadecimal digits after an equals sign");
    }

    private static String withoutBlanksAtLineEnds(byte[] content) {
        var lines = new StringBuilder(content.length);
        for (var next : content) {
            if (next == '\n') {
                var lineEnd = !lines.isEmpty() && lines.charAt(lines.length() - 1) == '\r' ? "\r\n" : "\n";
                lines.setLength(lines.length() - lineEnd.length() + 1);
                while (!lines.isEmpty() && isBlank(lines.charAt(lines.length() - 1))) {
                    lines.setLength(lines.length() - 1);
                }
                lines.append(lineEnd);
            } else {
                lines.append((char) Byte.toUnsignedInt(next));
            }
        }
        return lines.toString();
    }

    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t';
    }

    private void decodeTexts() {
        var common = texts.stream()
                .filter(text -> text.name().equals("_charset_"))
                .findFirst()
                .flatMap(text -> ReceivedText.of(text.content().getBytes()))
                .map(ReceivedText::text)
                .or(() -> charset);
        for (var text : texts) {
            var type = text.type().charset().isPresent()
                    ? text.type()
                    : new MediaType(text.type().name(), common, Optional.empty());
            var decoded = ReceivedText.of(text.content().getBytes(), type);
            if (decoded.isPresent()) {
                Envelope.add(fields, text.name(), TextNode.valueOf(decoded.get().text()));
            } else {
                uploads.add(new Upload(text.name(), text.name() + ".bin", "application/octet-stream", text.content()));
            }
        }
    }

    private static ApiException malformed(String reason) {
        return ApiException.of(ErrorCode.INVALID_INPUT, "body/ Invalid multipart form: " + reason);
    }

    /** Headers of one part; a folded line continues the one before it, and a line without a colon is left out. */
    private static final class PartHeaders {
        private final Map<String, StringBuilder> values = new HashMap<>();
        private String last = "";
        private int end;

        PartHeaders(byte[] body, int start, int partEnd) {
            end = start;
            while (true) {
                var line = end;
                while (line < partEnd && body[line] != '\n') {
                    line++;
                }
                if (line - start > HEADER_BYTES_MAX || line >= partEnd && line > end) {
                    throw malformed("expected an empty line after the headers of a part, found none");
                }
                var text = line(body, end, line);
                end = Math.min(line + 1, partEnd);
                if (text.isEmpty()) {
                    return;
                }
                add(text);
            }
        }

        private void add(String line) {
            if (line.charAt(0) == ' ' || line.charAt(0) == '\t') {
                values.computeIfPresent(last, (_, begun) -> begun.append(' ').append(line.strip()));
                return;
            }
            var colon = line.indexOf(':');
            var name = colon < 0 ? "" : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            // A repeated header is ignored with its continuations.
            last = values.containsKey(name) ? "" : name;
            if (!last.isEmpty()) {
                values.put(last, new StringBuilder(line.substring(colon + 1).strip()));
            }
        }

        private static String line(byte[] body, int from, int to) {
            var last = to > from && body[to - 1] == '\r' ? to - 1 : to;
            return PercentText.header(new String(body, from, last - from, StandardCharsets.ISO_8859_1));
        }

        /** The value, or null. */
        String get(String name) {
            var value = values.get(name);
            return value == null ? null : value.toString();
        }

        /** Index at which the content begins. */
        int end() {
            return end;
        }
    }
}
