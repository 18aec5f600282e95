package io.millrace.integration.backup;

import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Metrics of scheduled backups: counts and the time of the newest. Thread-safe. */
public final class BackupMeters {
    private final AtomicLong newestSeconds = new AtomicLong();
    private final EventCounter done;
    private final EventCounter failed;

    public BackupMeters(MeterSet meters) {
        this.done = meters.counter(ServerMeter.BACKUPS, "DONE");
        this.failed = meters.counter(ServerMeter.BACKUPS, "FAILED");
        meters.gauge(ServerMeter.BACKUP_NEWEST, newestSeconds::get);
    }

    void found(Instant newest) {
        newestSeconds.accumulateAndGet(newest.getEpochSecond(), Math::max);
    }

    void done(Instant moment) {
        done.increment();
        found(moment);
    }

    void failed() {
        failed.increment();
    }
}
