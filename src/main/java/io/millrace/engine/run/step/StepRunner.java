package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunScope;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.ResolvedInput;
import io.millrace.sandbox.program.CodeEngines;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Executes one step: resolves its input, calls the piece or the code, and returns the outcome. Independent of the
 * following steps; never throws.
 */
public final class StepRunner {
    private final InputResolver inputs;
    private final CodeExecution code;
    private final ControlSteps control;
    private final InputTruncation truncation;
    private final PieceMeters meters;

    public StepRunner(CodeEngines code, InputTruncation truncation, PieceMeters meters) {
        this.inputs = new InputResolver(code);
        this.code = new CodeExecution(code, truncation);
        this.control = new ControlSteps(inputs, truncation);
        this.truncation = truncation;
        this.meters = meters;
    }

    ControlSteps control() {
        return control;
    }

    Future<StepOutcome> act(Work work, RunScope scope, RunStepContext context) {
        return attempt(work, scope, context)
                .map(outcome -> outcome instanceof StepOutcome.Failed(var input, var message)
                        ? new StepOutcome.Failed(input, context.log().censored(message))
                        : outcome);
    }

    private Future<StepOutcome> attempt(Work work, RunScope scope, RunStepContext context) {
        return switch (work) {
            case Work.OfPiece piece -> {
                var bareSecrets = piece.action().takesBareSecrets();
                yield given(piece.input(), scope, context, bareSecrets, input -> piece(piece, input, context));
            }
            case Work.OfCode program ->
                given(program.input(), scope, context, false, input -> code.run(program, input, context));
            case Work.Missing(var name, var message) ->
                Future.succeededFuture(StepOutcome.failed(Json.object(), PieceFailure.named(name, message)));
            case Work.OfLoop _, Work.OfRouter _ ->
                Future.failedFuture(new IllegalStateException("a " + work.getClass() + " is not executed"));
        };
    }

    /** Most inputs resolve synchronously and need no futures. */
    private Future<StepOutcome> given(
            InputTemplate template,
            RunScope scope,
            RunStepContext context,
            boolean bareSecrets,
            Function<ResolvedInput, Future<StepOutcome>> work) {
        if (!template.needs().isEmpty()) {
            return inputs.resolve(template, scope, context, bareSecrets)
                    .transform(input -> input.failed()
                            ? Future.succeededFuture(StepOutcome.failed(Json.object(), input.cause()))
                            : work.apply(context.edited(input.result())));
        }
        ResolvedInput input;
        try {
            input = context.edited(InputResolver.detached(template.resolveBoth(scope), scope));
        } catch (RuntimeException | StackOverflowError thrown) {
            return Future.succeededFuture(StepOutcome.failed(Json.object(), thrown));
        }
        return work.apply(input);
    }

    private Future<StepOutcome> piece(Work.OfPiece piece, ResolvedInput input, RunStepContext context) {
        var logged = truncation.shorten(input.censored());
        var begun = System.nanoTime();
        Future<JsonNode> result;
        try {
            var given = input.value() instanceof ObjectNode object ? object : Json.object();
            var processed = piece.processor()
                    .apply(given, context.files())
                    .onSuccess(props -> context.log().dropped(piece.processor().dropped(given, props)));
            result = processed.succeeded()
                    ? run(piece, processed.result(), context)
                    : processed.compose(props -> {
                        context.cancellation().refuseWhenCancelled();
                        return run(piece, props, context);
                    });
        } catch (RuntimeException | StackOverflowError thrown) {
            result = Future.failedFuture(thrown);
        }
        return context.ours(result).transform(done -> {
            meters.ended(piece.pieceName(), System.nanoTime() - begun);
            return Future.succeededFuture(
                    done.succeeded()
                            ? new StepOutcome.Succeeded(logged, done.result())
                            : StepOutcome.failed(logged, done.cause()));
        });
    }

    private static Future<JsonNode> run(Work.OfPiece piece, ObjectNode props, RunStepContext context) {
        context.setProps(props);
        return context.isStepTest()
                ? piece.action().test(context)
                : piece.action().run(context);
    }
}
