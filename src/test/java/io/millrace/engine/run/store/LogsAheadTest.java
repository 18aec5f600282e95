package io.millrace.engine.run.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.LogText;
import io.millrace.engine.run.machine.EndStatus;
import io.millrace.support.Waiting;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class LogsAheadTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Queue<String> madeBy = new ConcurrentLinkedQueue<>();

    @Test
    void makesLogsOnAThreadOfItsOwn_eightAtOnce() {
        // Given
        var ahead = new LogsAhead(2);

        // When
        add(ahead, 8);

        // Then
        Waiting.until("eight logs are made", () -> madeBy.size() == 8);
        assertThat(madeBy).containsOnly("run-logs");
    }

    @Test
    void leavesTheRestToWhoeverWritesTheRuns() {
        // Given
        var ahead = new LogsAhead(2);

        // When seven wait, are written, and eight more come
        add(ahead, 7);
        ahead.flushed();
        add(ahead, 8);

        // Then
        Waiting.until("eight logs are made", () -> madeBy.size() == 8);
        add(ahead, 7);
        assertThat(madeBy).hasSize(8);
    }

    @Test
    void makesNothing_whereThereIsOneProcessor() {
        // Given
        var ahead = new LogsAhead(1);

        // When
        add(ahead, 100);

        // Then
        assertThat(madeBy).isEmpty();
    }

    @Test
    void goesOn_whenALogCannotBeMade() {
        // Given
        var ahead = new LogsAhead(2);

        // When
        for (var write = 0; write < 8; write++) {
            ahead.add(ended(new LogText(LogsAheadTest::fail, 10)));
        }
        add(ahead, 8);

        // Then
        Waiting.until("the others are made", () -> madeBy.size() == 8);
    }

    private static Buffer fail() {
        throw new IllegalStateException("no text");
    }

    private void add(LogsAhead ahead, int count) {
        for (var write = 0; write < count; write++) {
            ahead.add(ended(new LogText(this::made, 10)));
        }
    }

    private Buffer made() {
        madeBy.add(Thread.currentThread().getName());
        return Buffer.buffer("{}");
    }

    private static RunWrite ended(LogText log) {
        var header = new RunWrite.RunHeader(
                "run",
                NOW,
                "project",
                "flow",
                "version",
                RunEnvironment.PRODUCTION,
                NOW,
                null,
                true,
                null,
                "Flow",
                null);
        return new RunWrite.InsertEnded(header, new RunWrite.Ending(EndStatus.SUCCEEDED, NOW, null, List.of(), 1, log));
    }
}
