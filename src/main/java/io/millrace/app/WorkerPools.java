package io.millrace.app;

import io.vertx.core.spi.ExecutorServiceFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The pools of threads on which Vert.x runs what blocks; it finds this class as a service. A pool that is given no further
 * thread goes on with those that it has. The JDK's throws an error instead, of which Vert.x takes no notice: everything that
 * its context runs from then on would wait for a thread that was never begun, and a start or stop with it.
 */
public final class WorkerPools implements ExecutorServiceFactory {
    @Override
    public ExecutorService createExecutor(ThreadFactory threads, Integer concurrency, Integer maxConcurrency) {
        return new QueueingPool(maxConcurrency, threads);
    }

    private static final class QueueingPool extends ThreadPoolExecutor {
        QueueingPool(int threadsMax, ThreadFactory threads) {
            super(threadsMax, threadsMax, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), threads);
        }

        @Override
        public void execute(Runnable task) {
            try {
                super.execute(task);
            } catch (OutOfMemoryError noThread) {
                if (getPoolSize() == 0) {
                    throw new RejectedExecutionException("expected a thread to run on, but there is none", noThread);
                }
                getQueue().add(task);
            }
        }
    }
}
