package io.millrace.app;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Blocking tasks run as long as the pool has one thread. */
final class WorkerPoolsTest {
    private static final int TASKS = 10;

    private final AtomicInteger left = new AtomicInteger();

    @Test
    void runsEverything_onTheThreadThatThereIs() throws InterruptedException {
        // given a system that has one thread left for a pool of four
        left.set(1);
        var pool = pool();
        try {
            // when more tasks are submitted
            var done = new CountDownLatch(TASKS);
            for (var task = 0; task < TASKS; task++) {
                pool.execute(done::countDown);
            }

            // then all of them run
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void refuses_whenThereIsNoThreadAtAll_andRunsOnceThereIs() throws InterruptedException {
        // given a system without a free thread
        var pool = pool();
        try {
            // when a task is submitted, then it is rejected
            assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);

            // and when a thread is free, the next task runs
            left.set(1);
            var done = new CountDownLatch(1);
            pool.execute(done::countDown);
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void areThoseOfTheServer() {
        var vertx = ServerVertx.create();
        try {
            var executor = ((VertxInternal) vertx).workerPool().executor();

            assertThat(executor.getClass().getEnclosingClass()).isEqualTo(WorkerPools.class);
        } finally {
            await(vertx.close());
        }
    }

    /** Pool whose thread factory throws the JDK's error when no thread is left. */
    private ExecutorService pool() {
        return new WorkerPools().createExecutor(this::thread, 4, 4);
    }

    private Thread thread(Runnable task) {
        if (left.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(task);
    }
}
