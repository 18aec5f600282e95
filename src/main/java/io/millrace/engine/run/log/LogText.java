package io.millrace.engine.run.log;

import io.vertx.core.buffer.Buffer;
import java.util.function.Supplier;

/**
 * The text of an ended run's log as it is kept, which is made when it is first asked for, by whoever writes the run: nobody
 * packs a log whose run is not written (decision 0313). The log is not changed any more.
 */
public final class LogText {
    private final Supplier<Buffer> making;
    private final long bytes;
    private volatile Buffer made;

    /**
     * A text that is yet to be made.
     *
     * @param bytes about what it takes; kept, it takes no more
     */
    public LogText(Supplier<Buffer> making, long bytes) {
        this.making = making;
        this.bytes = bytes;
    }

    /** A text that has been made. */
    public static LogText of(Buffer text) {
        var log = new LogText(() -> text, text.length());
        log.made = text;
        return log;
    }

    /** The text. */
    public Buffer get() {
        var text = made;
        if (text == null) {
            text = making.get();
            made = text;
        }
        return text;
    }

    public long bytes() {
        return bytes;
    }
}
