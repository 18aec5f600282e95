package io.millrace.sandbox.code;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;

/** A process that is started while the one that it is to replace goes on with its calls. */
final class WorkerSuccessor {
    private final CompletableFuture<WorkerProcess> process = new CompletableFuture<>();

    /** Begins to start it, on a thread of its own. Where there is no thread for it, its start has failed. */
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

    /** Empty while it starts, and for good when that has failed: the one that is there makes its calls. */
    Optional<WorkerProcess> ifReady() {
        return process.isDone() && !process.isCompletedExceptionally() ? Optional.of(process.join()) : Optional.empty();
    }

    /** Waits for it. Fails as its start did. */
    WorkerProcess get() throws IOException {
        try {
            return process.join();
        } catch (CompletionException failed) {
            throw new IOException(
                    "expected a code worker to start: " + failed.getCause().getMessage(), failed);
        }
    }

    /** Nobody needs it any more: it is ended, as soon as it has started. */
    void close() {
        var _ = process.whenComplete((started, _) -> {
            if (started != null) {
                started.close();
            }
        });
    }
}
