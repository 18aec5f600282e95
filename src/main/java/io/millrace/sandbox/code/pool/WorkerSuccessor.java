package io.millrace.sandbox.code.pool;

import io.millrace.sandbox.code.process.WorkerProcess;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;

/** A replacement process that starts while the old one continues with its calls. */
final class WorkerSuccessor {
    private final CompletableFuture<WorkerProcess> process = new CompletableFuture<>();

    /** Begins the start on a new thread. Without a thread, the start has failed. */
    WorkerSuccessor(WorkerThread.Starter starter) {
        this(
                starter,
                Thread.ofPlatform()
                        .daemon()
                        .name(Thread.currentThread().getName() + "-next")
                        .factory());
    }

    WorkerSuccessor(WorkerThread.Starter starter, ThreadFactory threads) {
        try {
            threads.newThread(() -> start(starter)).start();
        } catch (OutOfMemoryError noThread) {
            process.completeExceptionally(noThread);
        }
    }

    private void start(WorkerThread.Starter starter) {
        try {
            process.complete(starter.start());
        } catch (IOException | RuntimeException | Error failure) {
            process.completeExceptionally(failure);
        }
    }

    /** Replacement process; empty while it starts, and also after a failed start: then the old process makes the calls. */
    Optional<WorkerProcess> ifReady() {
        return process.isDone() && !process.isCompletedExceptionally() ? Optional.of(process.join()) : Optional.empty();
    }

    /** Waits for the start; fails if it failed. */
    WorkerProcess get() throws IOException {
        try {
            return process.join();
        } catch (CompletionException failed) {
            throw new IOException(
                    "expected a code worker to start: " + failed.getCause().getMessage(), failed);
        }
    }

    /** Ends the process, if necessary after its start has finished. */
    void close() {
        var _ = process.whenComplete((started, _) -> {
            if (started != null) {
                started.close();
            }
        });
    }
}
