package io.millrace.sandbox.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeExpression;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.sandbox.code.pool.CodeRunner;
import io.millrace.sandbox.expression.closure.CodeClosure;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs programs of the built-in engine: in the server where a closure gives the result of a worker, in a worker otherwise (decision
 * 0440).
 */
public final class WorkerCode {
    private static final long CHARACTERS_MAX = 8L << 20;
    private static final Duration UNUSED_KEPT_FOR = Duration.ofHours(6);

    private final CodeRunner workers;
    private final boolean usesClosures;
    private final Cache<String, ClosureUse> closures = Caches.counted("code.closures")
            .maximumWeight(CHARACTERS_MAX)
            .weigher((String source, ClosureUse _) -> source.length() + 1)
            .expireAfterAccess(UNUSED_KEPT_FOR)
            .build();

    /** @param usesClosures false to run all programs in workers (AP_CODE_IN_SERVER_ENABLED) */
    public WorkerCode(CodeRunner workers, boolean usesClosures) {
        this.workers = workers;
        this.usesClosures = usesClosures;
    }

    void warmUp() {
        workers.warmUp();
    }

    void warmUp(CodeProgram program) {
        if (needsWorker(program)) {
            workers.warmUp();
        }
    }

    boolean needsWorker(CodeProgram program) {
        return program.isForWorkers() && closure(program).isEmpty();
    }

    Optional<CodeClosure> closure(CodeProgram program) {
        return mayBeClosure(program) ? use(program).closure() : Optional.empty();
    }

    RunningCode run(CodeCall call) {
        if (mayBeClosure(call.program())) {
            var output = use(call.program()).output(call.inputs());
            if (output.isPresent()) {
                return new Evaluated(Future.succeededFuture(returned(output.get())));
            }
        }
        return workers.run(call);
    }

    RunningCode evaluate(CodeExpression expression) {
        return workers.evaluate(expression);
    }

    private boolean mayBeClosure(CodeProgram program) {
        return usesClosures
                && program.form() == CodeProgram.Form.COMMON_JS
                && program.compileError().isEmpty();
    }

    private ClosureUse use(CodeProgram program) {
        return closures.get(program.javaScript(), ClosureUse::of);
    }

    private static CodeResult returned(JsonNode output) {
        return new CodeResult.Returned(output.isMissingNode() ? null : output, ConsoleLog.empty());
    }

    private record Evaluated(Future<CodeResult> result) implements RunningCode {
        @Override
        public void cancel() {
            // The call has ended already.
        }
    }
}
