package io.millrace.sandbox.code.pool;

import io.millrace.base.core.Json;
import io.millrace.sandbox.code.AuthorLines;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeExpression;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeLoad;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.sandbox.code.process.EngineUnpacking;
import io.millrace.sandbox.code.process.PendingCall;
import io.millrace.sandbox.code.process.ThrownError;
import io.millrace.sandbox.code.worker.WorkerRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs user code and expressions, each call alone in a worker process.
 *
 * <p>Calls wait in a bounded queue that serves keys in turn. Workers are started when calls wait and none is free, stay warm, and
 * end when they are idle. No method blocks the caller.
 */
public final class CodeRunner {
    private final Vertx vertx;
    private final WorkerPool pool;
    private final EngineUnpacking engine;

    public CodeRunner(Vertx vertx, CodeSettings settings) {
        this.vertx = vertx;
        this.pool = new WorkerPool(settings);
        this.engine = EngineUnpacking.of(settings);
    }

    public void warmUp() {
        pool.warmUp();
    }

    /** Unpacks the JavaScript engine of a packaged server in the background, so that the first worker finds it. */
    public void unpackEngine() {
        engine.begin();
    }

    public RunningCode run(CodeCall call) {
        Optional<String> compileError = call.program().compileError();
        if (compileError.isPresent()) {
            return new Settled(Future.succeededFuture(ThrownError.ofCompiler(compileError.get())));
        }
        WorkerRequest.Form form = switch (call.program().form()) {
            case COMMON_JS -> WorkerRequest.Form.COMMON_JS;
            case MODULE -> WorkerRequest.Form.MODULE;
            case NODE, PYTHON ->
                throw new IllegalArgumentException("expected a program for a worker, found one for "
                        + call.program().form());
        };
        return submit(
                new PendingCall.Program(call.key(), call.program().javaScript()),
                call.program().lines(),
                () -> request(form, call.key(), call.program().javaScript(), Json.text(call.inputs()), call.limits()));
    }

    public RunningCode evaluate(CodeExpression expression) {
        return submit(
                new PendingCall.Program(expression.key(), expression.expression()),
                AuthorLines.NONE,
                () -> request(
                        WorkerRequest.Form.EXPRESSION,
                        expression.key(),
                        expression.expression(),
                        Json.text(expression.globals()),
                        expression.limits()));
    }

    public CodeLoad load() {
        return pool.load();
    }

    /** Ends all workers; waiting and running calls end as Canceled. Completes when all workers have ended. */
    public Future<Void> close() {
        Context caller = vertx.getOrCreateContext();
        Promise<Void> ended = Promise.promise();
        Future.join(pool.close(), engine.close()).onComplete(_ -> caller.runOnContext(_ -> ended.complete()));
        return ended.future();
    }

    private RunningCode submit(PendingCall.Program program, AuthorLines lines, Supplier<WorkerRequest> request) {
        PendingCall ticket = new PendingCall(program, request, lines, vertx.getOrCreateContext());
        if (!pool.submit(ticket)) {
            return new Settled(Future.failedFuture(WorkerPool.tooMany()));
        }
        return new Submitted(ticket, pool);
    }

    private static WorkerRequest request(
            WorkerRequest.Form form, String key, String source, String inputs, CodeLimits limits) {
        return new WorkerRequest(
                form, key, source, inputs, limits.timeLimitMs(), limits.logLimitBytes(), limits.outputLimitBytes());
    }

    private record Submitted(PendingCall ticket, WorkerPool pool) implements RunningCode {
        @Override
        public Future<CodeResult> result() {
            return ticket.result();
        }

        @Override
        public void cancel() {
            pool.cancel(ticket);
        }
    }

    private record Settled(Future<CodeResult> result) implements RunningCode {
        @Override
        public void cancel() {
            // The call has ended already.
        }
    }
}
