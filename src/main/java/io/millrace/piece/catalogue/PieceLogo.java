package io.millrace.piece.catalogue;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Logo of a piece as served to browsers.
 *
 * @param mediaType detected from the first bytes; the sender's Content-Type is not trusted
 * @param freshFor how long a browser may keep it
 */
public record PieceLogo(String mediaType, Buffer data, Duration freshFor) {
    private static final Duration FRESH = Duration.ofDays(1);
    private static final int HEAD_BYTES = 4096;
    private static final String PNG = "\u0089PNG\r\n\u001a\n";

    /** A declaration, comments and a document type without a subset may precede the root element. */
    private static final Pattern SVG =
            Pattern.compile("(?s)^\uFEFF?\\s*+(?:<\\?xml[^>]*+>\\s*+)?(?:<!--(?:(?!-->).)*+-->\\s*+)*+"
                    + "(?:<!DOCTYPE\\s++svg[^>\\[]*+>\\s*+)?(?:<!--(?:(?!-->).)*+-->\\s*+)*+<svg[\\s>].*");

    /** Empty for data that is neither PNG nor SVG. */
    static Optional<PieceLogo> of(Buffer data) {
        var head = data.getBytes(0, Math.min(data.length(), HEAD_BYTES));
        if (new String(head, StandardCharsets.ISO_8859_1).startsWith(PNG)) {
            return Optional.of(new PieceLogo("image/png", data, FRESH));
        }
        return SVG.matcher(new String(head, StandardCharsets.UTF_8)).matches()
                ? Optional.of(new PieceLogo("image/svg+xml", data, FRESH))
                : Optional.empty();
    }

    static PieceLogo svg(String text) {
        return new PieceLogo("image/svg+xml", Buffer.buffer(text), FRESH);
    }

    PieceLogo freshFor(Duration duration) {
        return new PieceLogo(mediaType, data, duration);
    }
}
