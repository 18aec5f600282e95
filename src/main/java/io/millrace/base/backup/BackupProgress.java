package io.millrace.base.backup;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the progress of a backup every few seconds; a short one logs nothing. */
final class BackupProgress {
    private static final Logger LOG = LoggerFactory.getLogger(BackupProgress.class);
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final int tables;
    private int begun;
    private long latest = System.nanoTime();

    BackupProgress(int tables) {
        this.tables = tables;
    }

    void table(String name) {
        begun++;
        if (System.nanoTime() - latest >= EVERY.toNanos()) {
            latest = System.nanoTime();
            LOG.info("backup: {} % of the tables, now table {} of {} ({})", percent(), begun, tables, name);
        }
    }

    int percent() {
        return tables == 0 ? 100 : 100 * Math.max(0, begun - 1) / tables;
    }
}
