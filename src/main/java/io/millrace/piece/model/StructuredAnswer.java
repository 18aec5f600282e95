package io.millrace.piece.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ShownText;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Requests an object that matches a schema. The model is asked to call one tool with it; models that cannot be forced
 * to, or have no tools, may write it as JSON, bare or fenced. An invalid answer is requested once more, with the
 * problem.
 *
 * @param value valid object under the keys of the author; empty when no valid answer was received
 * @param problem problem of the received answer
 */
public record StructuredAnswer(Optional<ObjectNode> value, String problem) {
    private static final int SHOWN_LENGTH_MAX = 500;

    /** No answer contained a valid object; the message quotes the received answer. */
    public static final class Misfit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Misfit(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Parses an answer: the last valid call of the tool, otherwise the last valid object in the text.
     *
     * @param tool name of the tool whose arguments are wanted
     */
    public static StructuredAnswer in(ModelResponse answer, String tool, ToolSchema schema) {
        var problems = new ArrayList<String>();
        var fitting = new ArrayList<ObjectNode>();
        answer.calls().stream().filter(call -> call.name().equals(tool)).forEach(call -> {
            if (call.problem() == null) {
                take(call.arguments(), schema, fitting, problems);
            } else {
                problems.add(call.problem());
            }
        });
        if (fitting.isEmpty()) {
            TextObjects.in(answer.text())
                    .forEach(object -> take(TextObjects.argumentsIn(object, tool), schema, fitting, problems));
        }
        return fitting.isEmpty()
                ? new StructuredAnswer(
                        Optional.empty(), problems.isEmpty() ? "it contains no JSON object" : problems.getLast())
                : new StructuredAnswer(Optional.of(fitting.getLast()), "");
    }

    private static void take(ObjectNode object, ToolSchema schema, List<ObjectNode> fitting, List<String> problems) {
        var objections = schema.objections(object);
        if (objections.isEmpty()) {
            fitting.add(schema.restored(object));
        } else if (object.size() == 1
                && object.iterator().next() instanceof ObjectNode inner
                && schema.objections(inner).isEmpty()) {
            // Wrapped in one more object.
            fitting.add(schema.restored(inner));
        } else {
            problems.add(String.join("; ", objections));
        }
    }

    public static String correction(String tool, String problem, ToolSchema schema) {
        return "Your answer cannot be used: " + problem + ". Call " + tool
                + ", or answer with one JSON object only that fits" + " this JSON Schema: "
                + Json.text(schema.schema());
    }

    public static String shown(ModelResponse answer) {
        var calls = answer.calls().stream()
                .map(call -> call.name() + Json.text(call.arguments()))
                .toList();
        return ShownText.of(answer.text() + " " + String.join(" ", calls), SHOWN_LENGTH_MAX);
    }

    /**
     * Requests an object, at most twice. Fails with {@link Misfit} when both answers are invalid.
     *
     * @param request forces the tool
     * @param ask asks the model once
     */
    public static Future<ObjectNode> ask(
            ModelRequest request, String tool, ToolSchema schema, Function<ModelRequest, Future<ModelResponse>> ask) {
        return ask.apply(request).compose(first -> {
            var read = in(first, tool, schema);
            return read.value()
                    .map(Future::succeededFuture)
                    .orElseGet(() -> ask.apply(request.saying(withCorrection(
                                    request.messages(), first, correction(tool, read.problem(), schema))))
                            .compose(second -> in(second, tool, schema)
                                    .value()
                                    .map(Future::succeededFuture)
                                    .orElseGet(() -> Future.failedFuture(misfit(second, tool, schema)))));
        });
    }

    private static Misfit misfit(ModelResponse answer, String tool, ToolSchema schema) {
        var received = shown(answer);
        return new Misfit(in(answer, tool, schema).problem() + "; the model answered "
                + (received.isEmpty() ? "nothing" : "\"" + received + "\""));
    }

    private static List<ModelMessage> withCorrection(
            List<ModelMessage> messages, ModelResponse answer, String correction) {
        var all = new ArrayList<>(messages);
        if (!answer.isEmpty()) {
            all.add(new ModelMessage.AssistantMessage(answer.text(), answer.calls(), answer.raw()));
        }
        answer.calls().forEach(call -> all.add(new ModelMessage.ToolResultMessage(call, correction, true)));
        if (answer.calls().isEmpty()) {
            all.add(new ModelMessage.UserMessage(correction));
        }
        return all;
    }
}
