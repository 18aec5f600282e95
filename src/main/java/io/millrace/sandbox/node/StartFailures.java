package io.millrace.sandbox.node;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consecutive failures of starts of processes (contract pieces 10.4). Used on the pool's context only. */
final class StartFailures {
    private static final Logger LOG = LoggerFactory.getLogger(StartFailures.class);

    private static final int COUNT_MAX = 3;

    /** Waits between later attempts, in milliseconds. */
    private static final List<Long> BACKOFF_MS = List.of(1_000L, 2_000L, 5_000L, 10_000L, 30_000L);

    private int count;
    private String lastWords = "";

    int count() {
        return count;
    }

    void succeeded() {
        count = 0;
    }

    /**
     * Counts a failed start. Processes that began together and ended together count once, because one cause may have killed them
     * all.
     *
     * @param before number of failures when this one began
     * @param words error output of the process
     * @return milliseconds without further starts; empty if calls may keep waiting
     */
    OptionalLong failed(int before, String words) {
        lastWords = words.strip();
        LOG.warn("a process for pieces could not be started: {}", lastWords);
        if (before != count) {
            return OptionalLong.empty();
        }
        count++;
        return count < COUNT_MAX
                ? OptionalLong.empty()
                : OptionalLong.of(BACKOFF_MS.get(Math.min(count - COUNT_MAX, BACKOFF_MS.size() - 1)));
    }

    static String refusal() {
        return "Node.js could not be started to run the piece";
    }

    /** Reason why calls are refused now; empty if they are not. */
    Optional<String> trouble() {
        return count >= COUNT_MAX ? Optional.of(refusal() + ": " + lastWords) : Optional.empty();
    }
}
