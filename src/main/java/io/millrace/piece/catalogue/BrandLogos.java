package io.millrace.piece.catalogue;

import io.millrace.base.core.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Brand icons shipped with the server, made by {@code scripts/catalogue-logos} from a set in the public domain (CC0 1.0).
 * One piece per line, read on demand. Blocking.
 */
final class BrandLogos {
    private static final String LIST = "/catalogue/logos.jsonl";

    private BrandLogos() {}

    /** The icon of a piece, or its letter in the color of the brand where the set has no icon; empty for other pieces. */
    static Optional<PieceLogo> read(String pieceName, String displayName) {
        var beginning = Json.text(Json.object().put("name", pieceName));
        var prefix = beginning.substring(0, beginning.length() - 1) + ",";
        try (var stream = BrandLogos.class.getResourceAsStream(LIST)) {
            if (stream == null) {
                throw new IOException(LIST + " is missing");
            }
            try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(prefix)) {
                        var icon = Json.parse(line);
                        var color = icon.path("colour").asText();
                        return Optional.of(
                                icon.has("path")
                                        ? tile(color, icon.path("path").asText())
                                        : Monogram.inColor(color, displayName));
                    }
                }
            }
            return Optional.empty();
        } catch (IOException broken) {
            throw new UncheckedIOException("the logos that came with the server cannot be read", broken);
        }
    }

    /** The icon in its color on a white tile, legible on light and dark pages. */
    private static PieceLogo tile(String colour, String path) {
        return PieceLogo.svg("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">\
                <rect width="36" height="36" rx="8" fill="#fff"/>\
                <path transform="translate(6 6)" fill="#%s" d="%s"/></svg>
                """.formatted(colour, path));
    }
}
