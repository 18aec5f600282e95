package io.millrace.engine.agent.outside;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.function.BiConsumer;

/**
 * Incremental parser of server-sent events by the rules of the HTML standard; chunks may be cut anywhere. An unfinished event
 * is buffered without a limit: the caller must bound the length of the stream.
 */
final class EventStreamParser {
    private static final String MESSAGE = "message";
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private final BiConsumer<String, String> receiver;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private StringJoiner data = new StringJoiner("\n");
    private String type = MESSAGE;
    private boolean hasData;
    private boolean hasBegun;
    private boolean isAfterReturn;

    /** @param receiver receives the type and the data of each event */
    EventStreamParser(BiConsumer<String, String> receiver) {
        this.receiver = receiver;
    }

    void accept(Buffer part) {
        var bytes = part.getBytes();
        var from = 0;
        for (var at = 0; at < bytes.length; at++) {
            var isEnd = bytes[at] == '\r' || bytes[at] == '\n';
            if (isEnd) {
                // A line ends with CR, LF or CRLF; CRLF may be split between two chunks.
                if (bytes[at] == '\r' || !isAfterReturn) {
                    line.write(bytes, from, at - from);
                    endLine();
                }
                from = at + 1;
            }
            isAfterReturn = bytes[at] == '\r';
        }
        line.write(bytes, from, bytes.length - from);
    }

    private void endLine() {
        var text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (!hasBegun) {
            hasBegun = true;
            text = text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        }
        if (text.isEmpty()) {
            endEvent();
            return;
        }
        var colon = text.indexOf(':');
        var name = colon < 0 ? text : text.substring(0, colon);
        var value = colon < 0 ? "" : text.substring(colon + 1);
        field(name, value.startsWith(" ") ? value.substring(1) : value);
    }

    /**
     * Parses a field. A line that begins with a colon is a comment; ids and retry times are ignored, because this client does
     * not reconnect.
     */
    private void field(String name, String value) {
        switch (name) {
            case "event" -> type = value.isEmpty() ? MESSAGE : value;
            case "data" -> {
                data.add(value);
                hasData = true;
            }
            default -> {
                // Other fields are ignored.
            }
        }
    }

    private void endEvent() {
        var ended = type;
        var said = data.toString();
        var isEvent = hasData;
        type = MESSAGE;
        data = new StringJoiner("\n");
        hasData = false;
        if (isEvent) {
            receiver.accept(ended, said);
        }
    }
}
