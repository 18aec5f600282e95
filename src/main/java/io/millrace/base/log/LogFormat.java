package io.millrace.base.log;

import java.util.Map;
import java.util.regex.Pattern;

/** Format of a log event: always one line, even if its message has several. */
public enum LogFormat {
    /** For reading: time, level, logger, thread and message, followed by an error. */
    TEXT {
        @Override
        void write(Line line, Timestamps timestamps, StringBuilder out) {
            timestamps.write(line.millis(), out);
            out.append(' ').append(line.level());
            out.repeat(' ', LEVEL_LENGTH - line.level().length() + 1);
            out.append(line.logger()).append(" [").append(line.thread()).append("] ");
            oneLine(line.message(), out);
            line.fields().forEach((name, value) -> {
                out.append(' ').append(name).append('=');
                oneLine(value, out);
            });
            if (line.error() != null) {
                out.append(SEPARATOR);
                oneLine(line.error(), out);
            }
            out.append('\n');
        }
    },

    /** For programs: an object with time, level, logger, thread, message, error and the fields of the event. */
    JSON {
        @Override
        void write(Line line, Timestamps timestamps, StringBuilder out) {
            out.append("{\"time\":\"");
            timestamps.write(line.millis(), out);
            out.append('"');
            member("level", line.level(), out);
            member("logger", line.logger(), out);
            member("thread", line.thread(), out);
            member("message", line.message(), out);
            line.fields().forEach((name, value) -> field(name, value, out));
            if (line.error() != null) {
                member("error", line.error(), out);
            }
            out.append("}\n");
        }
    };

    private static final Pattern QUANTITY = Pattern.compile("(?:.*(?:Ms|Us|Bytes|Count)|status|steps|count)");
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]{0,14})");
    private static final int LEVEL_LENGTH = 5;
    private static final String SEPARATOR = " | ";
    private static final String HEX = "0123456789abcdef";

    /**
     * An event.
     *
     * @param millis since 1970
     * @param logger last part of its name
     * @param fields key-value pairs of the event, in order
     * @param error an exception with its stack, or null
     */
    record Line(
            long millis,
            String level,
            String logger,
            String thread,
            String message,
            Map<String, String> fields,
            String error) {}

    abstract void write(Line line, Timestamps timestamps, StringBuilder out);

    /**
     * Line breaks inside a text, with the blanks around them, become a separator: a reader would take them for several
     * events.
     */
    private static void oneLine(String text, StringBuilder out) {
        var start = out.length();
        var broken = false;
        for (var at = 0; at < text.length(); at++) {
            var character = text.charAt(at);
            if (character == '\n' || character == '\r') {
                broken = true;
            } else if (!broken) {
                out.append(character);
            } else if (!Character.isWhitespace(character)) {
                withoutBlanks(out, start);
                out.append(SEPARATOR).append(character);
                broken = false;
            }
        }
    }

    private static void withoutBlanks(StringBuilder out, int start) {
        var end = out.length();
        while (end > start && Character.isWhitespace(out.charAt(end - 1))) {
            end--;
        }
        out.setLength(end);
    }

    /** Quantities are numbers, all other fields are texts: an id of digits stays a text. */
    private static void field(String name, String value, StringBuilder out) {
        if (!QUANTITY.matcher(name).matches() || !NUMBER.matcher(value).matches()) {
            member(name, value, out);
            return;
        }
        out.append(",\"");
        escape(name, out);
        out.append("\":").append(value);
    }

    private static void member(String name, String value, StringBuilder out) {
        out.append(",\"");
        escape(name, out);
        out.append("\":\"");
        escape(value, out);
        out.append('"');
    }

    private static void escape(String text, StringBuilder out) {
        for (var at = 0; at < text.length(); at++) {
            var character = text.charAt(at);
            switch (character) {
                case '"', '\\' -> out.append('\\').append(character);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (character < ' ') {
                        out.append("\\u00").append(HEX.charAt(character >> 4)).append(HEX.charAt(character & 15));
                    } else {
                        out.append(character);
                    }
                }
            }
        }
    }
}
