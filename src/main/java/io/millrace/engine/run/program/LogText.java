package io.millrace.engine.run.program;

import java.nio.charset.StandardCharsets;

/** Text of a log that is the same in every run, as UTF-8. Immutable. */
final class LogText {
    private final byte[] bytes;

    LogText(String json) {
        this.bytes = json.getBytes(StandardCharsets.UTF_8);
    }

    /** @param from first of the bytes to write */
    void writeTo(JsonBytes log, int from) {
        log.raw(bytes, from);
    }
}
