package io.millrace.fault;

import io.millrace.base.persistence.DurableWrite;
import io.millrace.engine.run.RunDurableWrite;
import io.millrace.engine.trigger.TriggerDurableWrite;
import io.millrace.support.Slow;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The process ends before and after every durable write of the hot path. The points before the writes and the points
 * after them form one {@link CrashSequence} each; both run concurrently.
 */
@Slow(Slow.Reason.FAULT)
final class CrashPointsIT {
    /** The first write of a kind often precedes any data that could be lost. */
    private static final int WRITE_THAT_ENDS_IT = 3;

    @Test
    void losesAndDoublesNothing_whereverTheProcessEnds() {
        try (var threads = Executors.newFixedThreadPool(2)) {
            var sequences = Stream.of("before", "after")
                    .map(CrashPointsIT::points)
                    .map(points -> CompletableFuture.runAsync(
                            () -> new CrashSequence().losesAndDoublesNothing(points), threads))
                    .toList();
            sequences.forEach(CompletableFuture::join);
        }
    }

    private static List<String> points(String side) {
        return Stream.<DurableWrite[]>of(RunDurableWrite.values(), TriggerDurableWrite.values())
                .flatMap(Stream::of)
                .map(write -> side + ":" + write.name() + ":" + WRITE_THAT_ENDS_IT)
                .toList();
    }
}
