package io.millrace.base.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class EventLoopSumsTest {
    private static final int ROWS = 64;
    private static final int TIMES = 10_000;

    private final EventLoopSums sums = new EventLoopSums(true);
    private final int place = sums.take(1);

    @Test
    void losesNothing_whenEventLoopsAndOthersCount() throws InterruptedException {
        // Given
        var threads = new ArrayList<Thread>();
        for (var number = 0; number < 8; number++) {
            threads.add(new FastThreadLocalThread(this::count));
            threads.add(Thread.ofPlatform().unstarted(this::count));
            threads.add(Thread.ofVirtual().unstarted(this::count));
        }

        // When
        for (var thread : threads) {
            thread.start();
        }
        for (var thread : threads) {
            thread.join();
        }

        // Then
        assertThat(sums.sum(place)).isEqualTo(24L * TIMES);
    }

    @Test
    void countsWithTheOthers_whenALoopThatLivesHasTheRow() throws InterruptedException {
        // Given
        var hasCounted = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        var first = new FastThreadLocalThread(() -> {
            count();
            hasCounted.countDown();
            awaitQuietly(end);
        });
        first.start();
        hasCounted.await();

        // When
        var second = withTheRowOf(first);
        second.start();
        second.join();
        end.countDown();
        first.join();

        // Then
        assertThat(sums.sum(place)).isEqualTo(2L * TIMES);
    }

    @Test
    void goesOnWithTheSums_whenALoopThatHasEndedHadTheRow() throws InterruptedException {
        // Given
        var first = new FastThreadLocalThread(this::count);
        first.start();
        first.join();

        // When
        var second = withTheRowOf(first);
        second.start();
        second.join();

        // Then
        assertThat(sums.sum(place)).isEqualTo(2L * TIMES);
    }

    @Test
    void hasRoomForWhatIsMadeAfterTheFirstCount() throws InterruptedException {
        // Given
        var later = new int[1];
        var loop = new FastThreadLocalThread(() -> {
            sums.add(place, 1);
            later[0] = sums.take(1_000) + 999;
            sums.add(later[0], 5);
            sums.add(place, 1);
        });

        // When
        loop.start();
        loop.join();
        sums.add(later[0], 2);

        // Then
        assertThat(sums.sum(place)).isEqualTo(2);
        assertThat(sums.sum(later[0])).isEqualTo(7);
        assertThat(sums.sum(later[0] - 1)).isZero();
    }

    private void count() {
        for (var time = 0; time < TIMES; time++) {
            sums.add(place, 1);
        }
    }

    /** Rows are indexed by thread numbers, which only increase. */
    private Thread withTheRowOf(Thread other) {
        return Stream.generate(() -> new FastThreadLocalThread(this::count))
                .filter(thread -> thread.threadId() % ROWS == other.threadId() % ROWS)
                .findFirst()
                .orElseThrow();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
