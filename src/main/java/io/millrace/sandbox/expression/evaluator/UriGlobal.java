package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.value.JsError;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

final class UriGlobal {
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()";
    private static final String RESERVED = ";/?:@&=+$,#";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private UriGlobal() {}

    static Map<String, JsonNode> functions() {
        return Map.of(
                "encodeURIComponent", encoder("encodeURIComponent", UNRESERVED),
                "encodeURI", encoder("encodeURI", UNRESERVED + RESERVED),
                "decodeURIComponent", decoder("decodeURIComponent", ""),
                "decodeURI", decoder("decodeURI", RESERVED));
    }

    private static JsonNode encoder(String name, String kept) {
        return Functions.of(name, (evaluator, arguments) -> {
            var text = evaluator.text(arguments.at(0));
            evaluator.meter().text(text.length() * 3L);
            return evaluator.made(encode(text, kept));
        });
    }

    private static JsonNode decoder(String name, String kept) {
        return Functions.of(name, (evaluator, arguments) -> {
            var text = evaluator.text(arguments.at(0));
            evaluator.meter().text(text.length());
            return evaluator.made(decode(text, kept));
        });
    }

    private static String encode(String text, String kept) {
        try {
            var bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            var result = new StringBuilder(text.length());
            while (bytes.hasRemaining()) {
                var next = bytes.get();
                if (next > 0 && kept.indexOf(next) >= 0) {
                    result.append((char) next);
                } else {
                    result.append('%').append(HEX.toHexDigits(next));
                }
            }
            return result.toString();
        } catch (CharacterCodingException loneSurrogate) {
            throw JsError.uri();
        }
    }

    private static String decode(String text, String kept) {
        var result = new StringBuilder(text.length());
        var at = 0;
        while (at < text.length()) {
            if (text.charAt(at) != '%') {
                result.append(text.charAt(at++));
                continue;
            }
            var end = at;
            while (end < text.length() && text.charAt(end) == '%') {
                end += 3;
            }
            result.append(decodeRun(text, at, end, kept));
            at = end;
        }
        return result.toString();
    }

    /** Decodes neighboring escapes together: one character may take several. */
    private static String decodeRun(String text, int from, int to, String kept) {
        if (to > text.length()) {
            throw JsError.uri();
        }
        var bytes = ByteBuffer.allocate((to - from) / 3);
        try {
            for (var i = from; i < to; i += 3) {
                bytes.put((byte) HexFormat.fromHexDigits(text, i + 1, i + 3));
            }
            var decoded =
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
            var result = new StringBuilder(decoded.length());
            for (var i = 0; i < decoded.length(); i++) {
                var c = decoded.charAt(i);
                if (kept.indexOf(c) >= 0) {
                    result.append('%').append(HEX.toHexDigits((byte) c));
                } else {
                    result.append(c);
                }
            }
            return result.toString();
        } catch (CharacterCodingException | IllegalArgumentException malformed) {
            throw JsError.uri();
        }
    }
}
