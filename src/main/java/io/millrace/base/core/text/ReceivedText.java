package io.millrace.base.core.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Strict decoding of received bytes. The charset is the one of the header, else of the byte order mark, else of the
 * declaration inside (XML, HTML meta, CSS), else UTF-8: the first of these that decodes every byte. JSON that is valid UTF-8 is
 * UTF-8 even if its header names another charset (RFC 8259, 8.1). Bytes that none decodes are not text; a byte is never
 * replaced by a replacement character. Pure.
 *
 * @param text without the byte order mark
 * @param charset that decoded it
 * @param hasMark true if a byte order mark was dropped
 */
public record ReceivedText(String text, Charset charset, boolean hasMark) {
    public static final char MARK = '\uFEFF';

    private static final Charset UTF_32BE = Charset.forName("UTF-32BE");
    private static final Charset UTF_32LE = Charset.forName("UTF-32LE");

    /** Bytes in which a declaration is looked for, as the HTML standard has it. */
    private static final int DECLARED_WITHIN_BYTES = 1024;

    /** Bytes whose zeros tell the order of bytes. */
    private static final int ORDER_WITHIN_BYTES = 4096;

    private static final Pattern XML = Pattern.compile(
            "^\\s{0,64}<\\?xml\\s[^>]{0,512}?encoding\\s{0,16}=\\s{0,16}[\"']([A-Za-z0-9._:-]{1,64})[\"']");
    private static final Pattern META = Pattern.compile(
            "<meta\\s[^>]{0,512}?charset\\s{0,16}=\\s{0,16}[\"']?\\s{0,16}([A-Za-z0-9._:-]{1,64})",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern CSS = Pattern.compile("^@charset \"([A-Za-z0-9._:-]{1,64})\";");
    private static final Pattern HTML = Pattern.compile("^\\s{0,64}(<!doctype html|<html)", Pattern.CASE_INSENSITIVE);

    /** Marks, the longest first: that of UTF-32LE begins with that of UTF-16LE. */
    private enum Mark {
        UTF_8_MARK(StandardCharsets.UTF_8, 0xEF, 0xBB, 0xBF),
        UTF_32LE_MARK(UTF_32LE, 0xFF, 0xFE, 0, 0),
        UTF_32BE_MARK(UTF_32BE, 0, 0, 0xFE, 0xFF),
        UTF_16LE_MARK(StandardCharsets.UTF_16LE, 0xFF, 0xFE),
        UTF_16BE_MARK(StandardCharsets.UTF_16BE, 0xFE, 0xFF);

        private final Charset charset;
        private final int[] bytes;

        Mark(Charset charset, int... bytes) {
            this.charset = charset;
            this.bytes = bytes;
        }

        private boolean begins(byte[] body) {
            if (body.length < bytes.length) {
                return false;
            }
            for (var at = 0; at < bytes.length; at++) {
                if ((body[at] & 0xff) != bytes[at]) {
                    return false;
                }
            }
            return true;
        }

        static Optional<Mark> of(byte[] body) {
            for (var mark : values()) {
                if (mark.begins(body)) {
                    return Optional.of(mark);
                }
            }
            return Optional.empty();
        }
    }

    /** Decodes a body of a media type; empty when it is not text in any of the named charsets. */
    public static Optional<ReceivedText> of(byte[] body, MediaType type) {
        var mark = Mark.of(body);
        var candidates = new ArrayList<Charset>();
        var named = type.charset().flatMap(ReceivedText::charsetOf);
        if (type.isJson() && named.isPresent() && !CharsetNames.isUtf16Or32(named.get()) && hasHighBytes(body)) {
            candidates.add(StandardCharsets.UTF_8);
        }
        named.ifPresent(candidates::add);
        mark.ifPresent(found -> candidates.add(found.charset));
        if (mark.isEmpty()) {
            byZeros(body).filter(_ -> type.isJson() || isXmlLike(body)).ifPresent(candidates::add);
            declared(body, type).ifPresent(candidates::add);
        }
        candidates.add(StandardCharsets.UTF_8);
        return first(body, mark, candidates);
    }

    /** Decodes bytes without a declared charset. */
    public static Optional<ReceivedText> of(byte[] body) {
        return of(body, MediaType.of(null));
    }

    private static Optional<ReceivedText> first(byte[] body, Optional<Mark> mark, List<Charset> candidates) {
        for (var named : candidates) {
            var text = whole(body, mark, concrete(named, mark, body));
            if (text.isPresent()) {
                return text;
            }
        }
        return Optional.empty();
    }

    /** The text in a charset, or in the larger one that senders mean by its name. */
    private static Optional<ReceivedText> whole(byte[] body, Optional<Mark> mark, Charset charset) {
        var marked = mark.filter(found -> found.charset.equals(charset)).map(found -> found.bytes.length);
        var narrow = decoded(body, marked.orElse(0), charset);
        var larger = CharsetNames.larger(charset);
        if (larger.isPresent() && narrow.filter(text -> !hasHighControls(text)).isEmpty()) {
            var wide = decoded(body, 0, larger.get());
            if (wide.isPresent()) {
                return wide.map(text -> new ReceivedText(text, larger.get(), false));
            }
        }
        return narrow.map(text -> new ReceivedText(text, charset, marked.isPresent()));
    }

    /** Characters that ISO 8859 has where Windows has printable ones; no text contains them. */
    private static boolean hasHighControls(String text) {
        return text.chars().anyMatch(character -> character >= '\u0080' && character <= '\u009f');
    }

    private static boolean hasHighBytes(byte[] body) {
        for (var octet : body) {
            if (octet < 0) {
                return true;
            }
        }
        return false;
    }

    /** The charset to decode with: UTF-16 and UTF-32 without a byte order get one, and ASCII is read as UTF-8, its superset. */
    private static Charset concrete(Charset named, Optional<Mark> mark, byte[] body) {
        return switch (named.name()) {
            case "US-ASCII" -> StandardCharsets.UTF_8;
            case "UTF-16" ->
                mark.map(found -> found.charset)
                        .filter(found -> found.name().startsWith("UTF-16"))
                        .orElseGet(() -> orderByZeros(body, 2, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE));
            case "UTF-32" ->
                mark.map(found -> found.charset)
                        .filter(found -> found.name().startsWith("UTF-32"))
                        .orElseGet(() -> orderByZeros(body, 4, UTF_32BE, UTF_32LE));
            default -> named;
        };
    }

    /** The order of bytes without a mark: zeros are the high bytes of Latin characters, digits and spaces. */
    private static Charset orderByZeros(byte[] body, int width, Charset bigEndian, Charset littleEndian) {
        var leading = 0;
        var trailing = 0;
        for (var at = 0; at + width <= Math.min(body.length, ORDER_WITHIN_BYTES); at += width) {
            leading += body[at] == 0 ? 1 : 0;
            trailing += body[at + width - 1] == 0 ? 1 : 0;
        }
        return trailing > leading ? littleEndian : bigEndian;
    }

    /** The text of all bytes; empty when one of them cannot be decoded. */
    public static Optional<String> decoded(byte[] bytes, Charset charset) {
        return decoded(bytes, 0, charset);
    }

    private static Optional<String> decoded(byte[] bytes, int from, Charset charset) {
        var text = new String(bytes, from, bytes.length - from, charset);
        if (text.indexOf('\uFFFD') < 0) {
            return Optional.of(text);
        }
        // The character may be in the text itself; only a strict decoder decides.
        try {
            return Optional.of(charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, from, bytes.length - from))
                    .toString());
        } catch (CharacterCodingException noText) {
            return Optional.empty();
        }
    }

    public static Optional<Charset> charsetOf(String name) {
        return CharsetNames.find(name);
    }

    public boolean hasControls() {
        return text.chars().anyMatch(ReceivedText::isControl);
    }

    private static boolean isControl(int character) {
        return character < ' '
                        && character != '\t'
                        && character != '\n'
                        && character != '\r'
                        && character != '\f'
                        && character != '\u001b'
                || character == '\u007f';
    }

    public String whole() {
        return hasMark ? MARK + text : text;
    }

    public static String withoutMark(String text) {
        return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
    }

    /** Two or four bytes for a character show in the zeros of the first, which is ASCII in JSON and XML. */
    private static Optional<Charset> byZeros(byte[] body) {
        if (body.length < 2) {
            return Optional.empty();
        }
        if (body.length >= 4 && body[0] == 0 && body[1] == 0 && body[2] == 0) {
            return Optional.of(UTF_32BE);
        }
        if (body.length >= 4 && body[1] == 0 && body[2] == 0 && body[3] == 0) {
            return Optional.of(UTF_32LE);
        }
        return body[0] == 0
                ? Optional.of(StandardCharsets.UTF_16BE)
                : body[1] == 0 ? Optional.of(StandardCharsets.UTF_16LE) : Optional.empty();
    }

    /** True if the first two characters are those of a declaration, in two or four bytes each. */
    private static boolean isXmlLike(byte[] body) {
        var head = new StringBuilder();
        for (var at = 0; at < Math.min(body.length, 8); at++) {
            if (body[at] != 0) {
                head.append((char) body[at]);
            }
        }
        return head.toString().startsWith("<?");
    }

    private static Optional<Charset> declared(byte[] body, MediaType type) {
        var head = new String(body, 0, Math.min(body.length, DECLARED_WITHIN_BYTES), StandardCharsets.ISO_8859_1);
        return in(XML, head)
                .or(() -> type.name().equals("text/css") ? in(CSS, head) : Optional.empty())
                .or(() -> type.isHtml()
                                || type.name().isEmpty() && HTML.matcher(head).find()
                        ? in(META, head)
                        : Optional.empty())
                // A declaration that was read byte by byte is not in a charset of two or four bytes.
                .filter(name -> !name.toLowerCase(Locale.ROOT).matches("utf-?(16|32).*|ucs.*|iso-10646-ucs-.*"))
                .flatMap(ReceivedText::charsetOf);
    }

    private static Optional<String> in(Pattern declaration, String head) {
        var found = declaration.matcher(head);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }
}
