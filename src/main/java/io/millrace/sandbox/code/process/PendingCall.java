package io.millrace.sandbox.code.process;

import io.millrace.sandbox.code.AuthorLines;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.worker.WorkerRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

public final class PendingCall {
    /** A program or an expression of a project. */
    public record Program(String key, String source) {}

    private final Program program;
    private final Supplier<WorkerRequest> request;
    private final AuthorLines lines;
    private final Context caller;
    private final Promise<CodeResult> promise = Promise.promise();
    private long waitingSinceNanos = System.nanoTime();
    private Runnable interrupt;
    private boolean cancelled;
    private volatile boolean again;

    /** @param lines of the program's author, for its errors */
    public PendingCall(Program program, Supplier<WorkerRequest> request, AuthorLines lines, Context caller) {
        this.program = program;
        this.request = request;
        this.lines = lines;
        this.caller = caller;
    }

    public String key() {
        return program.key();
    }

    public Program program() {
        return program;
    }

    /** True if it has waited for a worker longer than this. Guarded by the pool's lock. */
    public boolean isOlderThan(long nanos, long nowNanos) {
        return nowNanos - waitingSinceNanos > nanos;
    }

    public void released() {
        waitingSinceNanos = System.nanoTime();
    }

    /** True if a worker has ended while it had this call. */
    public boolean isAgain() {
        return again;
    }

    /** Marks the call for another worker, without other calls, after a worker has ended while it had this call. */
    void tryAgain() {
        again = true;
    }

    /** Builds the request. A large one takes time, so only a worker's thread calls this. */
    WorkerRequest request() {
        return request.get();
    }

    AuthorLines lines() {
        return lines;
    }

    public Future<CodeResult> result() {
        return promise.future();
    }

    /** Sets the interruption of the running call; runs it at once if the call was canceled before. */
    void running(Runnable interruption) {
        boolean late;
        synchronized (this) {
            interrupt = interruption;
            late = cancelled;
        }
        if (late) {
            interruption.run();
        }
    }

    public synchronized boolean isCancelled() {
        return cancelled;
    }

    public void cancel() {
        Runnable interruption;
        synchronized (this) {
            cancelled = true;
            interruption = interrupt;
        }
        if (interruption != null) {
            interruption.run();
        }
    }

    public void complete(CodeResult result) {
        caller.runOnContext(_ -> promise.tryComplete(result));
    }

    public void fail(Throwable failure) {
        caller.runOnContext(_ -> promise.tryFail(failure));
    }
}
