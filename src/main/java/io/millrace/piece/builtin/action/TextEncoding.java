package io.millrace.piece.builtin.action;

import io.millrace.base.core.text.Base64Text;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.piece.PieceFailure;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** The ways to write bytes as a text, by the names that flows use. */
public enum TextEncoding {
    ASCII("ascii", "ASCII"),
    UTF_8("utf8", "UTF-8"),
    UTF_16LE("utf16le", "UTF-16LE"),
    UCS_2("ucs2", "UCS-2"),
    BASE64("base64", "Base64"),
    BASE64_URL("base64url", "Base64 URL"),
    LATIN_1("latin1", "Latin1"),
    BINARY("binary", "Binary"),
    HEX("hex", "Hex");

    private final String value;
    private final String label;

    TextEncoding(String value, String label) {
        this.value = value;
        this.label = label;
    }

    /** Name of the encoding in flows. */
    public String value() {
        return value;
    }

    public String label() {
        return label;
    }

    /** The encoding of a name; {@code utf-8} is as good as {@code utf8}. */
    public static TextEncoding named(String property, String name) {
        return find(name)
                .orElseThrow(() -> PieceFailure.of(property + ": expected an encoding such as utf8, found " + name));
    }

    private static Optional<TextEncoding> find(String name) {
        var plain = name.replace("-", "");
        return Arrays.stream(values())
                .filter(encoding -> encoding.value.equalsIgnoreCase(plain))
                .findFirst();
    }

    /**
     * Decodes a text into bytes.
     *
     * @param property named by the failure of a text that this encoding cannot hold
     */
    public byte[] bytes(String property, String text) {
        try {
            return switch (this) {
                case BASE64, BASE64_URL -> Base64Text.decoded(text);
                case HEX -> HexFormat.of().parseHex(text.strip());
                case ASCII, UTF_8, UTF_16LE, UCS_2, LATIN_1, BINARY -> encoded(property, text);
            };
        } catch (IllegalArgumentException malformed) {
            throw PieceFailure.of(property + ": expected a text encoded as " + label + ", found another");
        }
    }

    /** The bytes of every character: the library would write a question mark for one that the charset lacks. */
    private byte[] encoded(String property, String text) {
        try {
            var encoded = charset().newEncoder().encode(CharBuffer.wrap(text));
            var bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException lacking) {
            var encoder = charset().newEncoder();
            var first = text.codePoints()
                    .filter(character -> !encoder.canEncode(Character.toString(character)))
                    .findFirst()
                    .orElseThrow();
            throw PieceFailure.of(property + ": expected characters that " + label + " can hold, found "
                    + String.format(Locale.ROOT, "U+%04X", first));
        }
    }

    /** Encodes bytes as text. */
    public String text(byte[] bytes) {
        return switch (this) {
            case BASE64 -> Base64.getEncoder().encodeToString(bytes);
            case BASE64_URL -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            case HEX -> HexFormat.of().formatHex(bytes);
            case ASCII, UTF_8, UTF_16LE, UCS_2, LATIN_1, BINARY -> new String(bytes, charset());
        };
    }

    /**
     * Converts a file from this encoding to another. Textual encodings of bytes are decoded and encoded: a Base64 file
     * becomes the decoded file.
     *
     * @param property named by the failure of a file that is not in this encoding, or has other characters than the other one
     */
    public byte[] recoded(String property, byte[] file, TextEncoding other) {
        if (!isForBytes()) {
            var text = ReceivedText.decoded(file, charset())
                    .orElseThrow(() ->
                            PieceFailure.of(property + ": expected a text encoded as " + label + ", found another"));
            return other.isForBytes()
                    ? other.text(text.getBytes(StandardCharsets.UTF_8)).getBytes(StandardCharsets.US_ASCII)
                    : other.bytes(property, other.isUnicode() ? text : ReceivedText.withoutMark(text));
        }
        var meant = bytes(property, new String(file, StandardCharsets.ISO_8859_1).strip());
        return other.isForBytes() ? other.text(meant).getBytes(StandardCharsets.US_ASCII) : meant;
    }

    private boolean isUnicode() {
        return this == UTF_8 || this == UTF_16LE || this == UCS_2;
    }

    private boolean isForBytes() {
        return this == BASE64 || this == BASE64_URL || this == HEX;
    }

    private Charset charset() {
        return switch (this) {
            case ASCII -> StandardCharsets.US_ASCII;
            case UTF_16LE, UCS_2 -> StandardCharsets.UTF_16LE;
            case LATIN_1, BINARY -> StandardCharsets.ISO_8859_1;
            case UTF_8, BASE64, BASE64_URL, HEX -> StandardCharsets.UTF_8;
        };
    }
}
