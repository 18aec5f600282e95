package io.millrace.base.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes the log to the standard output from a dedicated thread: events of ten milliseconds are formatted there and written
 * at once. Logging never blocks; events are dropped while the queue is full, and their number is logged (decision 0164).
 */
public final class BatchAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    public static final String NAME = "OUTPUT";

    static final int WAITING_MAX = 8_192;

    private static final long COLLECTED_NANOS = 10_000_000;
    private static final int BATCH_CHARACTERS = 256 * 1024;
    private static final long STOP_MS = 1_000;

    private final PrintStream out;
    private final ArrayBlockingQueue<ILoggingEvent> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final LongAdder dropped = new LongAdder();
    private final Timestamps timestamps = new Timestamps(ZoneId.systemDefault());
    private final StringBuilder text = new StringBuilder();
    private final Thread writer = new Thread(this::writeAll, "log");
    private volatile LogFormat format = LogFormat.TEXT;
    private volatile boolean resting;
    private volatile boolean stopping;

    /** Made by {@link StandardLog}, or by a file of the operator. */
    public BatchAppender() {
        this(System.out);
    }

    BatchAppender(PrintStream out) {
        this.out = out;
    }

    public void format(LogFormat wanted) {
        format = wanted;
    }

    @Override
    public void start() {
        writer.setDaemon(true);
        writer.start();
        super.start();
    }

    /** Writes the pending events, for a second at most. */
    @Override
    public void stop() {
        super.stop();
        stopping = true;
        LockSupport.unpark(writer);
        try {
            writer.join(STOP_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        event.prepareForDeferredProcessing();
        if (!waiting.offer(event)) {
            dropped.increment();
        } else if (resting) {
            resting = false;
            LockSupport.unpark(writer);
        }
    }

    private void writeAll() {
        var events = new ArrayList<ILoggingEvent>(WAITING_MAX);
        while (true) {
            var last = stopping;
            waiting.drainTo(events);
            write(events);
            if (!events.isEmpty() && !last) {
                events.clear();
                LockSupport.parkNanos(COLLECTED_NANOS);
            } else if (last) {
                return;
            } else {
                rest();
            }
        }
    }

    /** Parks until an event is logged: a logging thread checks for a parked writer after it has queued the event. */
    private void rest() {
        resting = true;
        if (waiting.isEmpty() && !stopping) {
            LockSupport.park(this);
        }
        resting = false;
    }

    private void write(List<ILoggingEvent> events) {
        for (var event : events) {
            write(event);
            if (text.length() >= BATCH_CHARACTERS) {
                flush();
            }
        }
        var lost = events.isEmpty() ? 0 : dropped.sumThenReset();
        if (lost > 0) {
            var said = lost + " log lines were dropped: the output was too slow";
            format.write(note(events.getLast(), said), timestamps, text);
        }
        flush();
    }

    /** The thread must survive any exception of the toString method of a logged value. */
    private void write(ILoggingEvent event) {
        var before = text.length();
        try {
            format.write(line(event), timestamps, text);
        } catch (RuntimeException defect) {
            text.setLength(before);
            var said = "a line of " + event.getLoggerName() + " cannot be written: " + defect;
            format.write(note(event, said), timestamps, text);
        }
    }

    private static LogFormat.Line line(ILoggingEvent event) {
        var name = event.getLoggerName();
        var error = event.getThrowableProxy();
        return new LogFormat.Line(
                event.getTimeStamp(),
                event.getLevel().levelStr,
                name.substring(name.lastIndexOf('.') + 1),
                event.getThreadName(),
                String.valueOf(event.getFormattedMessage()),
                fields(event),
                error == null ? null : ThrowableProxyUtil.asString(error));
    }

    private static Map<String, String> fields(ILoggingEvent event) {
        var pairs = event.getKeyValuePairs();
        if (pairs == null || pairs.isEmpty()) {
            return Map.of();
        }
        var fields = new LinkedHashMap<String, String>();
        pairs.forEach(pair -> fields.put(pair.key, String.valueOf(pair.value)));
        return fields;
    }

    private static LogFormat.Line note(ILoggingEvent event, String message) {
        var thread = Thread.currentThread().getName();
        return new LogFormat.Line(event.getTimeStamp(), "WARN", "log", thread, message, Map.of(), null);
    }

    private void flush() {
        if (!text.isEmpty()) {
            var bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            text.setLength(0);
            out.write(bytes, 0, bytes.length);
            out.flush();
        }
    }
}
