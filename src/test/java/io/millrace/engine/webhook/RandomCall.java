package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.CharsetNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A random webhook call, and the expected event. The oracle knows what it encoded, and decodes nothing.
 *
 * @param type content type, or empty
 * @param encoding content encoding, or empty
 * @param sent body on the wire
 * @param query query without the question mark
 * @param queryParams query parameters as the flow receives them
 * @param body body as the flow receives it; null if it is {@code file}
 * @param file bytes of the file that the body links to; null if it is {@code body}
 */
@SuppressWarnings("ArrayRecordComponent") // Calls are not compared.
record RandomCall(
        String type, String encoding, byte[] sent, String query, JsonNode queryParams, JsonNode body, byte[] file) {
    private static final List<String> CHARSETS = List.of(
            "UTF-8",
            "ISO-8859-1",
            "windows-1252",
            "ISO-8859-15",
            "Shift_JIS",
            "GB18030",
            "EUC-KR",
            "KOI8-R",
            "UTF-16LE",
            "UTF-16BE",
            "UTF-32LE",
            "windows-1251",
            "Big5");
    private static final List<String> TEXTS = List.of(
            "text/plain",
            "text/csv",
            "text/html",
            "application/xml",
            "application/yaml",
            "application/x-ndjson",
            "application/javascript",
            "message/rfc822");
    private static final List<String> BINARIES = List.of(
            "image/png",
            "application/pdf",
            "application/octet-stream",
            "application/x-protobuf",
            "font/woff2",
            "video/mp4",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
    private static final String LETTERS =
            "abcXYZ 019<>&\"'{}[]:;,=+%#?/\\\r\n\tüßéñ€łжя日本語한국你好\uD83D\uDE00\u0085\u00a0";

    static RandomCall next(Random random) {
        var type = random.nextInt(9);
        var call = switch (type) {
            case 0, 1 -> text(random);
            case 2 -> declared(random);
            case 3 -> marked(random);
            case 4 -> json(random);
            case 5 -> form(random);
            case 6 -> multipart(random);
            case 7 -> bytes(random, pick(random, BINARIES));
            default -> undecodable(random);
        };
        return call.packed(random).withQuery(random);
    }

    private static RandomCall of(String type, byte[] sent, JsonNode body) {
        return new RandomCall(type, "", sent, "", Json.object(), body, null);
    }

    private static RandomCall text(Random random) {
        var charset = Charset.forName(pick(random, CHARSETS));
        var text = text(random, charset);
        var name = random.nextBoolean() ? charset.name() : '"' + charset.name().toLowerCase(Locale.ROOT) + '"';
        return of(pick(random, TEXTS) + "; charset=" + name, text.getBytes(charset), TextNode.valueOf(text));
    }

    private static RandomCall declared(Random random) {
        var charset =
                Charset.forName(pick(random, List.of("UTF-8", "ISO-8859-1", "windows-1252", "KOI8-R", "GB18030")));
        var isXml = random.nextBoolean();
        var head = isXml
                ? "<?xml version=\"1.0\" encoding=\"" + charset.name() + "\"?>"
                : "<html><head><meta charset=" + charset.name() + ">";
        var text = head + text(random, charset);
        return of(isXml ? "application/xml" : "text/html", text.getBytes(charset), TextNode.valueOf(text));
    }

    private static RandomCall marked(Random random) {
        var charset = Charset.forName(pick(random, List.of("UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")));
        var text = text(random, charset);
        return of(pick(random, TEXTS), ("\uFEFF" + text).getBytes(charset), TextNode.valueOf(text));
    }

    /** JSON that cannot be valid UTF-8 by chance in another charset: then it would be UTF-8 by rule (RFC 8259, 8.1). */
    private static RandomCall json(Random random) {
        while (true) {
            var call = anyJson(random);
            var isUtf16Or32 = call.sent[0] == 0 || call.sent[1] == 0;
            var isOfUtf8 = Arrays.equals(Json.bytes(call.body), call.sent);
            if (isUtf16Or32 || isOfUtf8 || !isUtf8(call.sent)) {
                return call;
            }
        }
    }

    private static RandomCall anyJson(Random random) {
        var isNamed = random.nextBoolean();
        var charset = Charset.forName(
                isNamed ? pick(random, CHARSETS) : pick(random, List.of("UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32BE")));
        var value = Json.object().put("n", random.nextInt()).putNull("z").put("b", random.nextBoolean());
        value.putArray("list").add(text(random, charset)).add(text(random, charset));
        value.put("t", text(random, charset));
        var type = pick(random, List.of("application/json", "application/vnd.api+json"));
        return of(
                isNamed ? type + ";charset=" + charset.name() : type,
                Json.text(value).getBytes(charset),
                value);
    }

    private static RandomCall form(Random random) {
        var charset = Charset.forName(pick(random, List.of("UTF-8", "ISO-8859-1", "windows-1252", "Shift_JIS")));
        var fields = Json.object();
        var form = pairs(random, charset, fields);
        return of(
                "application/x-www-form-urlencoded; charset=" + charset.name(),
                form.getBytes(StandardCharsets.US_ASCII),
                fields);
    }

    /** Encoded pairs, with repeated names, and percent signs that encode nothing. */
    private static String pairs(Random random, Charset charset, ObjectNode fields) {
        var form = new StringBuilder();
        for (var count = 1 + random.nextInt(4); count > 0; count--) {
            var name = pick(random, List.of("a", "b", "a[]", "x y"));
            var text = text(random, charset);
            var isRaw = random.nextInt(5) == 0;
            Envelope.add(fields, name, TextNode.valueOf(isRaw ? text + "50%" : text));
            form.append(form.isEmpty() ? "" : "&")
                    .append(URLEncoder.encode(name, charset))
                    .append('=')
                    .append(URLEncoder.encode(text, charset))
                    .append(isRaw ? "50%" : "");
        }
        return form.toString();
    }

    private static RandomCall multipart(Random random) {
        var form = new ByteArrayOutputStream();
        var fields = Json.object();
        for (var count = 1 + random.nextInt(3); count > 0; count--) {
            var charset = Charset.forName(pick(random, CHARSETS));
            var text = text(random, charset);
            Envelope.add(fields, "f" + count, TextNode.valueOf(text));
            var isBase64 = random.nextBoolean();
            var head = "--edge\r\nContent-Disposition: form-data; name=\"f" + count
                    + "\"\r\nContent-Type: text/plain; charset=" + charset.name()
                    + (isBase64 ? "\r\nContent-Transfer-Encoding: base64" : "") + "\r\n\r\n";
            form.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
            var bytes = text.getBytes(charset);
            form.writeBytes(isBase64 ? Base64.getMimeEncoder().encode(bytes) : bytes);
            form.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        form.writeBytes("--edge--\r\n".getBytes(StandardCharsets.US_ASCII));
        return of("multipart/form-data; boundary=edge", form.toByteArray(), fields);
    }

    private static RandomCall bytes(Random random, String type) {
        var bytes = new byte[1 + random.nextInt(200)];
        random.nextBytes(bytes);
        return new RandomCall(type, "", bytes, "", Json.object(), null, bytes);
    }

    /** Bytes that are not UTF-8, with a text type or without a type. */
    private static RandomCall undecodable(Random random) {
        while (true) {
            var call = bytes(random, random.nextInt(3) == 0 ? "" : pick(random, TEXTS));
            var hasMark = call.sent.length > 1 && (call.sent[0] & 0xff) >= 0xfe && (call.sent[1] & 0xff) >= 0xfe;
            if (!hasMark && !isUtf8(call.sent)) {
                return call;
            }
        }
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)) != null;
        } catch (CharacterCodingException other) {
            return false;
        }
    }

    /** At least one letter of the charset; no C1 controls in charsets whose name senders use for a larger one. */
    private static String text(Random random, Charset charset) {
        var isMeantLarger = CharsetNames.larger(charset).isPresent();
        var text = new StringBuilder("x");
        var letters = LETTERS.codePoints().toArray();
        for (var count = random.nextInt(30); count > 0; count--) {
            var letter = Character.toString(letters[random.nextInt(letters.length)]);
            if (new String(letter.getBytes(charset), charset).equals(letter)
                    && !(isMeantLarger
                            && letter.codePointAt(0) > 0x7f
                            && Character.isISOControl(letter.codePointAt(0)))) {
                text.append(letter);
            }
        }
        return text.toString();
    }

    private RandomCall packed(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> new RandomCall(type, "gzip", gzip(sent), query, queryParams, body, file);
            case 1 -> new RandomCall(type, "deflate", deflate(sent, false), query, queryParams, body, file);
            case 2 -> new RandomCall(type, "deflate", deflate(sent, true), query, queryParams, body, file);
            case 3 ->
                new RandomCall(type, "deflate, x-gzip", gzip(deflate(sent, false)), query, queryParams, body, file);
            case 4 -> new RandomCall(type, "zstd", zstd(sent), query, queryParams, body, file);
            case 5 -> new RandomCall(type, "GZIP, zstd", zstd(gzip(sent)), query, queryParams, body, file);
            default -> this;
        };
    }

    /** A frame with one uncompressed block. */
    private static byte[] zstd(byte[] bytes) {
        var head = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        var block = bytes.length << 3 | 1;
        head.putInt(0xfd2fb528).put((byte) 0xa0).putInt(bytes.length);
        head.put((byte) block).put((byte) (block >> 8)).put((byte) (block >> 16));
        var frame = new ByteArrayOutputStream();
        frame.writeBytes(head.array());
        frame.writeBytes(bytes);
        return frame.toByteArray();
    }

    private RandomCall withQuery(Random random) {
        if (random.nextBoolean()) {
            return this;
        }
        var params = Json.object();
        var pairs = pairs(random, StandardCharsets.UTF_8, params);
        return new RandomCall(type, encoding, sent, pairs, params, body, file);
    }

    private static byte[] gzip(byte[] bytes) {
        var packed = new ByteArrayOutputStream();
        try (var stream = new GZIPOutputStream(packed)) {
            stream.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return packed.toByteArray();
    }

    private static byte[] deflate(byte[] bytes, boolean isBare) {
        var packed = new ByteArrayOutputStream();
        try (var stream = new DeflaterOutputStream(packed, new Deflater(Deflater.BEST_SPEED, isBare))) {
            stream.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return packed.toByteArray();
    }

    private static String pick(Random random, List<String> names) {
        return names.get(random.nextInt(names.size()));
    }
}
