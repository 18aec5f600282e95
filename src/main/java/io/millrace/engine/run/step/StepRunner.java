package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunScope;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeExpression;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.InexactNumbers;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.Needs;
import io.millrace.sandbox.expression.Resolved;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.program.CodeEngines;
import io.millrace.sandbox.program.CodeReport;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Executes one step: resolves its input, calls the piece or the code, and returns the outcome. Independent of the
 * following steps; never throws.
 */
public final class StepRunner {
    private static final long CODE_LOG_BYTES_MAX = 64 * 1024;

    /** Above the limit of the log, so that too large a return value ends the run by the log's limit. */
    private static final long CODE_OUTPUT_BYTES_MAX = 64L << 20;

    private static final long CODE_REPORT_MS_MAX = 500;

    /** Divisor of the remaining time, when it is short. */
    private static final long CODE_REPORT_SHARE = 10;

    private static final String KILLED = "The process of the code was killed during the call";

    private final CodeEngines code;
    private final InputTruncation truncation;
    private final PieceMeters meters;

    public StepRunner(CodeEngines code, InputTruncation truncation, PieceMeters meters) {
        this.code = code;
        this.truncation = truncation;
        this.meters = meters;
    }

    /** Outcome of a step. The input is the one for the log: censored and shortened. */
    sealed interface Outcome {
        /** @param output null without an output */
        record Succeeded(JsonNode input, JsonNode output) implements Outcome {}

        /** @param errorMessage JSON text of contract flows-and-engine 11.3 */
        record Failed(JsonNode input, String errorMessage) implements Outcome {}

        /** Ends the run, regardless of the step's settings for failures. */
        sealed interface Overrun extends Outcome {}

        /** User code exceeded its memory limit. */
        record MemoryExceeded(JsonNode input) implements Overrun {}

        /** User code exceeded the timeout of the run. */
        record TimedOut(JsonNode input) implements Overrun {}

        /** The process that executed the step has ended without a result of the step. */
        record Broke(JsonNode input, String message) implements Overrun {}
    }

    /** Runs a piece's action or user code. */
    Future<Outcome> act(Work work, RunScope scope, RunStepContext context) {
        return attempt(work, scope, context)
                .map(outcome -> outcome instanceof Outcome.Failed(var input, var message)
                        ? new Outcome.Failed(input, context.censored(message))
                        : outcome);
    }

    private Future<Outcome> attempt(Work work, RunScope scope, RunStepContext context) {
        return switch (work) {
            case Work.OfPiece piece -> {
                var bareSecrets = piece.action().takesBareSecrets();
                yield given(piece.input(), scope, context, bareSecrets, input -> piece(piece, input, context));
            }
            case Work.OfCode program ->
                given(program.input(), scope, context, false, input -> code(program, input, context));
            case Work.Missing(var name, var message) ->
                Future.succeededFuture(failed(Json.object(), PieceFailure.named(name, message)));
            case Work.OfLoop _, Work.OfRouter _ ->
                Future.failedFuture(new IllegalStateException("a " + work.getClass() + " is not executed"));
        };
    }

    /** Executes the work with its input. Most inputs resolve synchronously and need no futures. */
    private Future<Outcome> given(
            InputTemplate template,
            RunScope scope,
            RunStepContext context,
            boolean bareSecrets,
            Function<Resolved, Future<Outcome>> work) {
        if (!template.needs().isEmpty()) {
            return resolved(template, scope, context, bareSecrets)
                    .transform(input -> input.failed()
                            ? Future.succeededFuture(failed(Json.object(), input.cause()))
                            : work.apply(context.edited(input.result())));
        }
        Resolved input;
        try {
            input = context.edited(detached(template.resolveBoth(scope), scope));
        } catch (RuntimeException | StackOverflowError thrown) {
            return Future.succeededFuture(failed(Json.object(), thrown));
        }
        return work.apply(input);
    }

    private Future<Outcome> piece(Work.OfPiece piece, Resolved input, RunStepContext context) {
        var logged = truncation.shorten(input.censored());
        var begun = System.nanoTime();
        Future<JsonNode> result;
        try {
            var given = input.value() instanceof ObjectNode object ? object : Json.object();
            var processed = piece.processor().apply(given, context.files());
            result = processed.succeeded()
                    ? run(piece, processed.result(), context)
                    : processed.compose(props -> {
                        context.refuseWhenCancelled();
                        return run(piece, props, context);
                    });
        } catch (RuntimeException | StackOverflowError thrown) {
            result = Future.failedFuture(thrown);
        }
        return context.ours(result).transform(done -> {
            meters.ended(piece.pieceName(), System.nanoTime() - begun);
            return Future.succeededFuture(
                    done.succeeded() ? new Outcome.Succeeded(logged, done.result()) : failed(logged, done.cause()));
        });
    }

    private static Future<JsonNode> run(Work.OfPiece piece, ObjectNode props, RunStepContext context) {
        context.setProps(props);
        return context.isStepTest()
                ? piece.action().test(context)
                : piece.action().run(context);
    }

    private Future<Outcome> code(Work.OfCode work, Resolved input, RunStepContext context) {
        var logged = truncation.shorten(input.censored());
        var running = code.run(
                new CodeCall(context.projectId(), work.program(), input.value(), limits(context), context.fence()));
        context.whenCancelled(running::cancel);
        return running.result()
                .onSuccess(result -> context.ran(engineOf(work.program()), log(work, input, result)))
                .compose(result -> stored(result, context))
                .transform(done -> Future.succeededFuture(
                        done.failed() ? failed(logged, done.cause()) : outcome(logged, done.result())));
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
    private static ConsoleLog log(Work.OfCode work, Resolved input, CodeResult result) {
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
    private static CodeLimits limits(RunStepContext context) {
        var remainingMs = context.remainingMs();
        var reportMs = Math.min(CODE_REPORT_MS_MAX, remainingMs / CODE_REPORT_SHARE);
        return new CodeLimits(Math.max(1, remainingMs - reportMs), CODE_LOG_BYTES_MAX, CODE_OUTPUT_BYTES_MAX);
    }

    private static Outcome outcome(JsonNode input, CodeResult result) {
        return switch (result) {
            case CodeResult.Returned returned -> new Outcome.Succeeded(input, returned.output());
            case CodeResult.Threw threw -> failed(input, PieceFailure.of(threw.message(), threw.details()));
            case CodeResult.TimedOut _ -> new Outcome.TimedOut(input);
            case CodeResult.MemoryExceeded _ -> new Outcome.MemoryExceeded(input);
            case CodeResult.Killed _ -> new Outcome.Broke(input, KILLED);
            case CodeResult.Cancelled _ -> failed(input, PieceFailure.of("The run was cancelled"));
        };
    }

    private static Outcome failed(JsonNode input, Throwable cause) {
        return cause instanceof PieceCrash broke
                ? overran(input, broke)
                : new Outcome.Failed(input, ErrorMessage.of(named(cause)));
    }

    private static Outcome.Overrun overran(JsonNode input, PieceCrash broke) {
        return switch (broke.why()) {
            case TIME -> new Outcome.TimedOut(input);
            case MEMORY -> new Outcome.MemoryExceeded(input);
            case INTERNAL -> new Outcome.Broke(input, broke.getMessage());
        };
    }

    /** Failure of a loop whose items are not a list. */
    public static PieceFailure noList() {
        return PieceFailure.of(
                Json.pretty(Json.object().put("message", "The items you have selected must be a list.")));
    }

    /** Failure of an expression, as a failure that keeps its name. */
    public static Throwable named(Throwable cause) {
        return cause instanceof ExpressionFailure expression
                ? PieceFailure.named(expression.errorName(), expression.getMessage())
                : cause;
    }

    /** The items of a loop, or the reason for their absence. */
    sealed interface Items {
        /** @param logged items for the log: censored, and truncated when they are many */
        record ItemArray(ArrayNode items, JsonNode logged) implements Items {}

        record Refused(JsonNode input, String errorMessage) implements Items {}

        record Overran(Outcome.Overrun overrun) implements Items {}
    }

    Future<Items> items(Work.OfLoop loop, RunScope scope, RunStepContext context) {
        return resolved(loop.items(), scope, context, false).transform(resolved -> {
            if (resolved.succeeded() && resolved.result().value() instanceof ArrayNode items) {
                var logged = truncation.shorten(
                        Json.object().set("items", resolved.result().censored()));
                return Future.succeededFuture(new Items.ItemArray(items, logged.get("items")));
            }
            if (resolved.cause() instanceof PieceCrash broke) {
                return Future.succeededFuture(new Items.Overran(overran(Json.object(), broke)));
            }
            var cause = resolved.succeeded() ? noList() : named(resolved.cause());
            var input = Json.object();
            if (resolved.succeeded()) {
                input.set("items", resolved.result().censored());
            }
            return Future.succeededFuture(new Items.Refused(truncation.shorten(input), ErrorMessage.of(cause)));
        });
    }

    /** Result of the evaluation of branches, or the reason for its failure. */
    sealed interface Choice {
        /** @param output output in the log (contract flows-and-engine 9.3) */
        record Made(List<Boolean> evaluation, ObjectNode output) implements Choice {}

        record Refused(JsonNode input, String errorMessage) implements Choice {}

        record Overran(Outcome.Overrun overrun) implements Choice {}
    }

    /** Evaluates every condition. */
    Future<Choice> choose(Work.OfRouter router, RunScope scope, RunStepContext context) {
        if (!router.needs().isEmpty()) {
            return prepared(router.needs(), scope, context, false)
                    .map(ready -> choose(router, ready))
                    .otherwise(cause -> refused(router, cause));
        }
        try {
            return Future.succeededFuture(choose(router, scope));
        } catch (RuntimeException | StackOverflowError thrown) {
            return Future.succeededFuture(refused(router, thrown));
        }
    }

    private static Choice choose(Work.OfRouter router, RunScope scope) {
        var made = RouterChoice.of(router, scope);
        return new Choice.Made(made.evaluation(), made.output());
    }

    private Choice refused(Work.OfRouter router, Throwable cause) {
        return cause instanceof PieceCrash broke
                ? new Choice.Overran(overran(Json.object(), broke))
                : new Choice.Refused(router.logged(), ErrorMessage.of(named(cause)));
    }

    private Future<Resolved> resolved(
            InputTemplate template, RunScope scope, RunStepContext context, boolean bareSecrets) {
        return prepared(template.needs(), scope, context, bareSecrets).map(ready -> {
            context.refuseWhenCancelled();
            return detached(template.resolveBoth(ready), ready);
        });
    }

    /**
     * The scope with all values that an input needs: secrets are loaded, tokens beyond the grammar evaluated in the
     * sandbox.
     */
    private Future<RunScope> prepared(Needs needs, RunScope scope, RunStepContext context, boolean bareSecrets) {
        if (needs.isEmpty()) {
            return Future.succeededFuture(scope);
        }
        var secrets = needs.hasSecrets()
                ? context.secrets(needs.connectionNames(), needs.variableNames())
                : Future.succeededFuture(scope.secrets());
        return secrets.compose(loaded -> evaluated(needs.beyondGrammar(), scope, context)
                .map(values -> scope.withSecrets(bareSecrets ? loaded.unwrapped() : loaded)
                        .withEvaluated(values)));
    }

    private static Resolved detached(Resolved resolved, RunScope scope) {
        return new Resolved(scope.detached(resolved.value()), scope.detached(resolved.censored()));
    }

    private Future<Map<String, JsonNode>> evaluated(Set<String> sources, RunScope scope, RunStepContext context) {
        var values = new HashMap<String, JsonNode>();
        var globals = scope.globals();
        var evaluations = new ArrayList<Future<CodeResult>>();
        for (var source : sources) {
            var running = code.evaluate(new CodeExpression(context.projectId(), source, globals, limits(context)));
            context.whenCancelled(running::cancel);
            evaluations.add(running.result().map(result -> {
                if (result instanceof CodeResult.Returned returned && returned.output() != null) {
                    values.put(source, returned.output());
                }
                return endedWithin(result);
            }));
        }
        return Future.all(evaluations).map(values);
    }

    /**
     * An expression that throws evaluates to empty text, but one that times out must fail, because it would delay every
     * run that uses it.
     */
    private static CodeResult endedWithin(CodeResult result) {
        return switch (result) {
            case CodeResult.TimedOut _ -> throw new PieceCrash(PieceCrash.Cause.TIME, "an expression took too long");
            case CodeResult.MemoryExceeded _ ->
                throw new PieceCrash(PieceCrash.Cause.MEMORY, "an expression used too much memory");
            case CodeResult.Killed _ -> throw new PieceCrash(PieceCrash.Cause.INTERNAL, KILLED);
            case CodeResult.Returned _, CodeResult.Threw _, CodeResult.Cancelled _ -> result;
        };
    }
}
