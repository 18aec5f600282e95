package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunScope;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.PieceCrash;
import io.vertx.core.Future;
import java.util.List;

/** Evaluation of loops and routers: the items of a loop, the branches of a router. Never throws. */
final class ControlSteps {
    private final InputResolver inputs;
    private final InputTruncation truncation;

    ControlSteps(InputResolver inputs, InputTruncation truncation) {
        this.inputs = inputs;
        this.truncation = truncation;
    }

    sealed interface Items {
        /** @param logged items for the log: censored, and truncated when they are many */
        record ItemArray(ArrayNode items, JsonNode logged) implements Items {}

        record Refused(JsonNode input, String errorMessage) implements Items {}

        record Overran(StepOutcome.Overrun overrun) implements Items {}
    }

    Future<Items> items(Work.OfLoop loop, RunScope scope, RunStepContext context) {
        return inputs.resolve(loop.items(), scope, context, false).transform(resolved -> {
            if (resolved.succeeded() && resolved.result().value() instanceof ArrayNode items) {
                var logged = truncation.shorten(
                        Json.object().set("items", resolved.result().censored()));
                return Future.succeededFuture(new Items.ItemArray(items, logged.get("items")));
            }
            if (resolved.cause() instanceof PieceCrash crash) {
                return Future.succeededFuture(new Items.Overran(StepOutcome.overrun(Json.object(), crash)));
            }
            var cause = resolved.succeeded() ? NamedFailure.noList() : NamedFailure.of(resolved.cause());
            var input = Json.object();
            if (resolved.succeeded()) {
                input.set("items", resolved.result().censored());
            }
            return Future.succeededFuture(new Items.Refused(truncation.shorten(input), ErrorMessage.of(cause)));
        });
    }

    sealed interface Choice {
        /** @param output output in the log (contract flows-and-engine 9.3) */
        record Made(List<Boolean> evaluation, ObjectNode output) implements Choice {}

        record Refused(JsonNode input, String errorMessage) implements Choice {}

        record Overran(StepOutcome.Overrun overrun) implements Choice {}
    }

    Future<Choice> choose(Work.OfRouter router, RunScope scope, RunStepContext context) {
        if (!router.needs().isEmpty()) {
            return inputs.prepare(router.needs(), scope, context, false)
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

    private static Choice refused(Work.OfRouter router, Throwable cause) {
        return cause instanceof PieceCrash crash
                ? new Choice.Overran(StepOutcome.overrun(Json.object(), crash))
                : new Choice.Refused(router.logged(), ErrorMessage.of(NamedFailure.of(cause)));
    }
}
