package io.millrace.sandbox.code;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Console output of one call, in order.
 *
 * @param truncated true if lines are missing at the end because the log limit was reached
 */
public record ConsoleLog(List<Line> lines, boolean truncated) {
    private static final Set<Level> TO_STANDARD_ERROR = EnumSet.of(Level.WARN, Level.ERROR);
    private static final ConsoleLog EMPTY = new ConsoleLog(List.of(), false);

    public enum Level {
        LOG,
        INFO,
        DEBUG,
        WARN,
        ERROR
    }

    public record Line(Level level, String text) {}

    public ConsoleLog {
        lines = List.copyOf(lines);
    }

    public static ConsoleLog empty() {
        return EMPTY;
    }

    public String standardOutput() {
        return joined(false);
    }

    public String standardError() {
        return joined(true);
    }

    private String joined(boolean error) {
        return lines.stream()
                .filter(line -> TO_STANDARD_ERROR.contains(line.level()) == error)
                .map(Line::text)
                .collect(Collectors.joining("\n"));
    }

    /** Collects lines up to a budget of bytes. Not for several threads. */
    public static final class Builder {
        private final List<Line> lines = new ArrayList<>();
        private final long limitBytes;
        private long leftBytes;
        private boolean truncated;

        public Builder(long limitBytes) {
            this.limitBytes = limitBytes;
            leftBytes = limitBytes;
        }

        public void clear() {
            lines.clear();
            leftBytes = limitBytes;
            truncated = false;
        }

        public void add(Level level, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (!truncated && bytes.length + 1L <= leftBytes) {
                lines.add(new Line(level, text));
                leftBytes -= bytes.length + 1L;
                return;
            }
            if (!truncated && leftBytes > 1) {
                lines.add(new Line(level, prefix(bytes, (int) leftBytes - 1)));
            }
            truncated = true;
        }

        public ConsoleLog build() {
            return lines.isEmpty() && !truncated ? EMPTY : new ConsoleLog(lines, truncated);
        }

        /** Longest prefix of whole characters that fits. */
        private static String prefix(byte[] bytes, int length) {
            int end = length;
            while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
                end--;
            }
            return new String(bytes, 0, end, StandardCharsets.UTF_8);
        }
    }
}
