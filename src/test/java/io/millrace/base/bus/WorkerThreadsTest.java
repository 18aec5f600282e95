package io.millrace.base.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.lang.ref.WeakReference;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WorkerThreadsTest {
    @Test
    void workUnderTheirName() {
        var vertx = Vertx.vertx();
        var threads = WorkerThreads.open(vertx, "mill", 1, Duration.ofSeconds(30));

        var name = Waiting.await(
                threads.executeBlocking(() -> Thread.currentThread().getName()));

        assertThat(name).startsWith("mill-");
        Waiting.await(vertx.close());
    }

    /** Timers of a closed Vert.x still refer to services, which refer to their threads. */
    @Test
    void keepNothing_whenTheirVertxHasEnded() {
        var ended = endedVertx();

        Waiting.until("nothing keeps it", () -> {
            System.gc();
            return ended.get() == null;
        });
    }

    private static WeakReference<Vertx> endedVertx() {
        var vertx = Vertx.vertx();
        var threads = WorkerThreads.open(vertx, "mill", 1);
        vertx.setTimer(Duration.ofDays(1).toMillis(), _ -> threads.close());
        Waiting.await(vertx.close());
        return new WeakReference<>(vertx);
    }
}
