package io.millrace.app;

import io.vertx.core.spi.ExecutorServiceFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Thread pools for blocking tasks of Vert.x, which loads this class as a service. If the system refuses another thread, a pool
 * continues with its existing threads. The pool of the JDK throws an error instead, which Vert.x ignores: all later tasks of
 * the context would wait for a thread that never started, and with them a start or stop.
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
                    throw new RejectedExecutionException("expected a free thread, found none", noThread);
                }
                getQueue().add(task);
            }
        }
    }
}
