package io.millrace.sandbox.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distinguishes processes that the kernel killed for lack of memory from those killed externally: both end by SIGKILL, but the
 * kernel counts the former (proc_vmstat(5): oom_kill). The counter covers the whole machine, so the result errs on the safe side:
 * an external kill may count as one for lack of memory, never the other way round.
 */
public final class MemoryKills {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryKills.class);
    private static final String COUNTER = "oom_kill ";

    private final Path counters;
    private final OptionalLong before;

    private MemoryKills(Path counters) {
        this.counters = counters;
        this.before = count(counters);
    }

    /** Begins to observe. Reads a file of the kernel. */
    static MemoryKills fromNow(Path counters) {
        return new MemoryKills(counters);
    }

    /** True if the kernel may have killed a process for lack of memory since; also true if there is no counter. */
    public boolean mayHaveHappened() {
        var now = count(counters);
        return before.isEmpty() || now.isEmpty() || now.getAsLong() != before.getAsLong();
    }

    private static OptionalLong count(Path counters) {
        try (var lines = Files.lines(counters)) {
            return lines.filter(line -> line.startsWith(COUNTER))
                    .mapToLong(line -> Long.parseLong(line.substring(COUNTER.length())))
                    .findFirst();
        } catch (IOException unreadable) {
            LOG.debug("the kernel does not report OOM kills", unreadable);
            return OptionalLong.empty();
        }
    }
}
