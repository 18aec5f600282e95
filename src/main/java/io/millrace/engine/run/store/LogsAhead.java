package io.millrace.engine.run.store;

import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.LogText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the texts of logs that wait for their flush on a thread of its own, while the event loop, which has the most to do of
 * all threads, goes on (decision 0313). Nobody waits for it: a text that is not there when its run is written is made then.
 * Lives on one event loop.
 */
final class LogsAhead {
    /** To wake a thread takes as long as to make one or two texts: so they are handed over by so many. */
    private static final int HANDED_AT_ONCE = 8;

    /** Of a thread that does not keep up, what it has not begun is worth nothing any more. */
    private static final int HANDED_MAX = 16;

    private static final long IDLE_SECONDS_MAX = 30;

    private static final Logger LOG = LoggerFactory.getLogger(LogsAhead.class);

    private final ThreadPoolExecutor maker;
    private final boolean isAlone;
    private List<LogText> waiting = new ArrayList<>(HANDED_AT_ONCE);

    /** @param processors where there is one alone, there is nobody to hand anything to */
    LogsAhead(int processors) {
        maker = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS_MAX,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(HANDED_MAX),
                Thread.ofPlatform().daemon().name("run-logs").factory(),
                new ThreadPoolExecutor.DiscardPolicy());
        // A server that has stopped leaves no thread behind.
        maker.allowCoreThreadTimeOut(true);
        isAlone = processors < 2;
    }

    /** A write that waits while another flush is under way. */
    void add(RunWrite write) {
        var log = logOf(write);
        if (log == null || isAlone) {
            return;
        }
        waiting.add(log);
        if (waiting.size() == HANDED_AT_ONCE) {
            var handed = waiting;
            waiting = new ArrayList<>(HANDED_AT_ONCE);
            maker.execute(() -> make(handed));
        }
    }

    private static void make(List<LogText> logs) {
        try {
            logs.forEach(LogText::get);
        } catch (RuntimeException | StackOverflowError defect) {
            LOG.debug("a log is left to whoever writes its run, who is told why", defect);
        }
    }

    /** What waited is being written: whatever is left to make is made with it. */
    void flushed() {
        waiting.clear();
    }

    private static LogText logOf(RunWrite write) {
        return switch (write) {
            case RunWrite.InsertEnded ended -> ended.ending().log();
            case RunWrite.End end -> end.ending().log();
            case RunWrite.Insert _, RunWrite.Append _, RunWrite.Show _ -> null;
        };
    }
}
