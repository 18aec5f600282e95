package io.millrace.support;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** Occupies every shared worker thread of a Vert.x until it is closed, as slow blocking work would. */
public final class HeldWorkers implements AutoCloseable {
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Future<Void>> tasks;

    private HeldWorkers(Vertx vertx) {
        var started = new CountDownLatch(VertxOptions.DEFAULT_WORKER_POOL_SIZE);
        tasks = IntStream.range(0, VertxOptions.DEFAULT_WORKER_POOL_SIZE)
                .mapToObj(_ -> vertx.<Void>executeBlocking(
                        () -> {
                            started.countDown();
                            release.await();
                            return null;
                        },
                        false))
                .toList();
        Waiting.until("all workers are occupied", () -> started.getCount() == 0);
    }

    static HeldWorkers of(Vertx vertx) {
        return new HeldWorkers(vertx);
    }

    @Override
    public void close() {
        release.countDown();
        Waiting.await(Future.all(tasks));
    }
}
