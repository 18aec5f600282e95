package io.millrace.base.backup;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the progress of a backup every few seconds; a short one logs nothing. */
final class BackupProgress {
    private static final Logger LOG = LoggerFactory.getLogger(BackupProgress.class);
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final Map<String, Long> sizes;
    private final LongSupplier nanoTime;
    private final long all;
    private String table = "";
    private int begun;
    private long done;
    private long copied;
    private long latest;

    /** @param sizes bytes on disk of each table, an estimate of the bytes to copy */
    BackupProgress(Map<String, Long> sizes, LongSupplier nanoTime) {
        this.sizes = Map.copyOf(sizes);
        this.nanoTime = nanoTime;
        this.all = sizes.values().stream().mapToLong(Long::longValue).sum();
        this.latest = nanoTime.getAsLong();
    }

    /** Bytes that are written to the stream count as copied. */
    OutputStream table(String name, OutputStream target) {
        done += size(table);
        table = name;
        begun++;
        copied = 0;
        report();
        return new CountingStream(target);
    }

    int percent() {
        return all == 0 ? 100 : (int) (100 * (done + Math.min(copied, size(table))) / all);
    }

    private long size(String name) {
        return sizes.getOrDefault(name, 0L);
    }

    private void report() {
        var now = nanoTime.getAsLong();
        if (now - latest >= EVERY.toNanos()) {
            latest = now;
            LOG.info("backup: {} %, table {} of {} ({})", percent(), begun, sizes.size(), table);
        }
    }

    private final class CountingStream extends FilterOutputStream {
        CountingStream(OutputStream target) {
            super(target);
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            copied += length;
            report();
        }
    }
}
