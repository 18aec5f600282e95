package io.millrace.sandbox.code;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.base.core.Json;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Source map of a compiled program with one source (ECMA-426). It is read only after the program has thrown.
 *
 * @param base64 JSON of the map, as the compiler writes it at the end of a program
 */
public record SourceMap(String base64) implements AuthorLines {
    private static final String MARK = "//# sourceMappingURL=data:application/json;base64,";
    private static final Pattern AT_END = Pattern.compile("[A-Za-z0-9+/]+={0,2}\\s*");
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final int DIGIT_BITS = 5;
    private static final int CONTINUED = 1 << DIGIT_BITS;
    private static final int VALUE_BITS_MAX = 31;

    /** Field of a segment with the line of the source, after the column of the program and the number of the source. */
    private static final int SOURCE_LINE = 2;

    /** Map at the end of a program; empty if it has none. */
    public static Optional<SourceMap> in(String program) {
        var at = start(program);
        return at < 0
                ? Optional.empty()
                : Optional.of(
                        new SourceMap(program.substring(at + MARK.length()).strip()));
    }

    /** The program without the map at its end. */
    public static String removedFrom(String program) {
        var at = start(program);
        return at < 0 ? program : program.substring(0, at);
    }

    /** The program with this map at its end. */
    public String appendedTo(String program) {
        return program + MARK + base64 + "\n";
    }

    private static int start(String program) {
        var at = program.lastIndexOf(MARK);
        var isAtEnd = at >= 0
                && (at == 0 || program.charAt(at - 1) == '\n')
                && AT_END.matcher(program)
                        .region(at + MARK.length(), program.length())
                        .matches();
        return isAtEnd ? at : -1;
    }

    @Override
    public OptionalInt of(int line, int column) {
        try {
            var map = Json.parse(Base64.getDecoder().decode(base64));
            return new Segments(map.path("mappings").asText()).sourceLine(line, column);
        } catch (JsonProcessingException | IllegalArgumentException unreadable) {
            // The text of a user's program may end like a map: such a program has no known lines.
            return OptionalInt.empty();
        }
    }

    /** Reads the mappings from their beginning: all numbers are relative to the previous ones. */
    private static final class Segments {
        private final String mappings;
        private int at;

        Segments(String mappings) {
            this.mappings = mappings;
        }

        OptionalInt sourceLine(int line, int column) {
            var sourceLine = 0;
            var found = OptionalInt.empty();
            for (var current = 1; current <= line && at < mappings.length(); current++) {
                var programColumn = 0;
                while (at < mappings.length() && mappings.charAt(at) != ';') {
                    programColumn += number();
                    var hasSource = false;
                    for (var field = 1; isInSegment(); field++) {
                        var change = number();
                        if (field == SOURCE_LINE) {
                            sourceLine += change;
                            hasSource = true;
                        }
                    }
                    if (current == line && programColumn < column) {
                        found = hasSource ? OptionalInt.of(sourceLine + 1) : OptionalInt.empty();
                    }
                    if (at < mappings.length() && mappings.charAt(at) == ',') {
                        at++;
                    }
                }
                at++;
            }
            return found;
        }

        private boolean isInSegment() {
            return at < mappings.length() && mappings.charAt(at) != ',' && mappings.charAt(at) != ';';
        }

        /** A number in base 64 with variable length; its lowest bit is the sign. */
        private int number() {
            var value = 0;
            var digit = CONTINUED;
            for (var shift = 0; (digit & CONTINUED) != 0; shift += DIGIT_BITS) {
                digit = at < mappings.length() ? DIGITS.indexOf(mappings.charAt(at++)) : -1;
                if (digit < 0 || shift > VALUE_BITS_MAX) {
                    throw new IllegalArgumentException("expected the mappings of a source map");
                }
                value |= (digit & (CONTINUED - 1)) << shift;
            }
            return (value & 1) == 0 ? value >>> 1 : -(value >>> 1);
        }
    }
}
