package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.InexactNumbers;
import io.millrace.sandbox.expression.ResolvedInput;
import io.millrace.sandbox.program.CodeEngines;
import io.millrace.sandbox.program.CodeReport;
import io.vertx.core.Future;

final class CodeExecution {
    private static final long CODE_LOG_BYTES_MAX = 64 * 1024;

    /** Above the limit of the log, so that too large a return value ends the run by the log's limit. */
    private static final long CODE_OUTPUT_BYTES_MAX = 64L << 20;

    private static final long CODE_REPORT_MS_MAX = 500;

    private static final long CODE_REPORT_SHARE = 10;

    static final String KILLED = "The process of the code was killed during the call";

    private final CodeEngines code;
    private final InputTruncation truncation;

    CodeExecution(CodeEngines code, InputTruncation truncation) {
        this.code = code;
        this.truncation = truncation;
    }

    Future<StepOutcome> run(Work.OfCode work, ResolvedInput input, RunStepContext context) {
        var logged = truncation.shorten(input.censored());
        var running = code.run(
                new CodeCall(context.projectId(), work.program(), input.value(), limits(context), context.fence()));
        context.whenCancelled(running::cancel);
        return running.result()
                .onSuccess(result -> context.log().ran(engineOf(work.program()), log(work, input, result)))
                .compose(result -> stored(result, context))
                .transform(done -> Future.succeededFuture(
                        done.failed() ? StepOutcome.failed(logged, done.cause()) : outcome(logged, done.result())));
    }

    /** The result with the addresses of stored files in the places of bytes. */
    private static Future<CodeResult> stored(CodeResult result, RunStepContext context) {
        if (!(result instanceof CodeResult.Returned returned)
                || returned.files().isEmpty()) {
            return Future.succeededFuture(result);
        }
        var output = Future.succeededFuture(returned.output());
        for (var file : returned.files()) {
            output = output.compose(before -> context.writeFile(file.name(), file.data())
                    .map(url -> file.replacedIn(before, TextNode.valueOf(url))));
        }
        return output.map(complete -> new CodeResult.Returned(complete, returned.log()));
    }

    /** Console output, with the numbers that JavaScript rounded; integers of Python have no bound. */
    private static ConsoleLog log(Work.OfCode work, ResolvedInput input, CodeResult result) {
        return work.program().form() == CodeProgram.Form.PYTHON
                ? result.log()
                : InexactNumbers.warned(result.log(), input.value());
    }

    /** Engine name for a step's record: empty for workers, which execute code without special needs. */
    private static String engineOf(CodeProgram program) {
        return switch (program.form()) {
            case COMMON_JS, MODULE -> "";
            case NODE -> CodeReport.Engine.NODE.name();
            case PYTHON -> CodeReport.Engine.PYTHON.name();
        };
    }

    /**
     * Code ends a little before its run would: the run's deadline abandons the step, and would lose its console output.
     */
    static CodeLimits limits(RunStepContext context) {
        var remainingMs = context.remainingMs();
        var reportMs = Math.min(CODE_REPORT_MS_MAX, remainingMs / CODE_REPORT_SHARE);
        return new CodeLimits(Math.max(1, remainingMs - reportMs), CODE_LOG_BYTES_MAX, CODE_OUTPUT_BYTES_MAX);
    }

    private static StepOutcome outcome(JsonNode input, CodeResult result) {
        return switch (result) {
            case CodeResult.Returned returned -> new StepOutcome.Succeeded(input, returned.output());
            case CodeResult.Threw threw -> StepOutcome.failed(input, PieceFailure.of(threw.message(), threw.details()));
            case CodeResult.TimedOut _ -> new StepOutcome.TimedOut(input);
            case CodeResult.MemoryExceeded _ -> new StepOutcome.MemoryExceeded(input);
            case CodeResult.Killed _ -> new StepOutcome.ProcessLost(input, KILLED);
            case CodeResult.Cancelled _ -> StepOutcome.failed(input, PieceFailure.of("The run was canceled"));
        };
    }
}
