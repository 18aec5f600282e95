package io.millrace.workspace.model.format;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Writes events as Amazon frames them, with headers of every type before those that matter. */
public final class EventFrameWriter {
    private static final int AROUND_BYTES = 16;

    private EventFrameWriter() {}

    public static Buffer event(String type, String payload) {
        return frame(headers("event").appendBuffer(text(":event-type", type)), payload);
    }

    public static Buffer exception(String type, String payload) {
        return frame(headers("exception").appendBuffer(text(":exception-type", type)), payload);
    }

    public static Buffer error(String code, String message) {
        return frame(
                headers("error").appendBuffer(text(":error-code", code)).appendBuffer(text(":error-message", message)),
                "");
    }

    private static Buffer headers(String messageType) {
        return named("yes", 0)
                .appendBuffer(named("no", 1))
                .appendBuffer(named("byte", 2).appendByte((byte) -1))
                .appendBuffer(named("short", 3).appendShort((short) -1))
                .appendBuffer(named("int", 4).appendInt(-1))
                .appendBuffer(named("long", 5).appendLong(-1))
                .appendBuffer(named("bytes", 6).appendShort((short) 2).appendBytes(new byte[] {-1, -1}))
                .appendBuffer(named("time", 8).appendLong(-1))
                .appendBuffer(named("uuid", 9).appendLong(-1).appendLong(-1))
                .appendBuffer(text(":message-type", messageType));
    }

    private static Buffer named(String name, int type) {
        return Buffer.buffer()
                .appendByte((byte) name.length())
                .appendString(name)
                .appendByte((byte) type);
    }

    private static Buffer text(String name, String value) {
        return named(name, 7)
                .appendShort((short) value.getBytes(StandardCharsets.UTF_8).length)
                .appendString(value);
    }

    public static Buffer frame(Buffer headers, String payload) {
        var body = Buffer.buffer(payload);
        var frame = Buffer.buffer()
                .appendUnsignedInt(AROUND_BYTES + headers.length() + body.length())
                .appendUnsignedInt(headers.length());
        frame.appendUnsignedInt(checksum(frame)).appendBuffer(headers).appendBuffer(body);
        return frame.appendUnsignedInt(checksum(frame));
    }

    private static long checksum(Buffer bytes) {
        var checksum = new CRC32();
        checksum.update(bytes.getBytes());
        return checksum.getValue();
    }
}
