package io.millrace.base.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.RecordedLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BackupProgressTest {
    private final AtomicLong nanos = new AtomicLong();
    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();
    private final BackupProgress progress =
            new BackupProgress(Map.of("flow", 100L, "run", 800L, "step", 100L), nanos::get);

    @Test
    void weighsTablesByTheirSize() throws IOException {
        assertThat(progress.percent()).isZero();
        progress.table("flow", archive).write(new byte[40]);
        assertThat(progress.percent()).isEqualTo(4);

        var run = progress.table("run", archive);
        assertThat(progress.percent()).isEqualTo(10);
        run.write(new byte[400]);
        assertThat(progress.percent()).isEqualTo(50);

        progress.table("step", archive);
        assertThat(progress.percent()).isEqualTo(90);
        assertThat(archive.size()).isEqualTo(440);
    }

    /** The text of compressed values is larger than the table. */
    @Test
    void staysBelowTheNextTable_whenTheTextIsLongerThanTheTable() throws IOException {
        progress.table("flow", archive).write(new byte[5_000]);

        assertThat(progress.percent()).isEqualTo(10);
    }

    @Test
    void logsEveryFiveSeconds_withinATableToo() throws IOException {
        try (var log = RecordedLog.of(BackupProgress.class.getName())) {
            progress.table("flow", archive).write(1);
            var run = progress.table("run", archive);
            run.write(new byte[100]);
            assertThat(log.lines()).isEmpty();

            nanos.addAndGet(Duration.ofSeconds(5).toNanos());
            run.write(new byte[300]);
            run.write(new byte[100]);
            nanos.addAndGet(Duration.ofSeconds(5).toNanos());
            progress.table("step", archive);

            assertThat(log.lines())
                    .isEqualTo(
                            List.of("INFO backup: 50 %, table 2 of 3 (run)", "INFO backup: 90 %, table 3 of 3 (step)"));
        }
    }

    @Test
    void isDone_whenNoTableHasRows() {
        assertThat(new BackupProgress(Map.of(), nanos::get).percent()).isEqualTo(100);
        assertThat(new BackupProgress(Map.of("flow", 0L), nanos::get).percent()).isEqualTo(100);
    }
}
