package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ShownText;
import io.millrace.engine.agent.machine.AgentEffect;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.StructuredAnswer;
import io.millrace.piece.model.ToolRequest;
import io.millrace.piece.model.ToolSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Records of a run and the conversation that they form. The record of an answer holds the text, the calls with their blocks,
 * the message as the provider sent it, and the input of the completion tool; the record of a call holds its block and the text
 * for the model.
 */
final class AgentEntries {
    static final String TEXT = "text";
    static final String COMPLETION = "completion";
    static final String CREDITS = "credits";
    /** The fallback model that gave an answer; absent for the first model. */
    static final String MODEL = "model";

    static final String THOUGHTS = "thoughts";
    static final String LEFT_OUT = "leftOut";

    /** The problem of an answer that lacks the wanted fields. */
    static final String MISFIT = "misfit";

    /** Size of all records of a run, in bytes of JSON, from which its model is not asked again: no model reads as much. */
    static final long BYTES_MAX = 16 << 20;

    /** Most calls of one answer: models that are asked for parallel calls make few. */
    static final int CALLS_MAX = 128;

    /** Longest state of a provider that is kept with an answer, in characters of JSON. */
    static final int STATE_LENGTH_MAX = 1 << 20;

    /** The tool by which a structured answer is given (contract agents 5.2). */
    static final String COMPLETION_TOOL = "updateTaskStatus";

    private static final int RESULT_LENGTH_MAX = 64 * 1024;
    private static final String CALLS = "calls";
    private static final String RAW = "raw";
    private static final String ENDING = "ending";
    private static final String BLOCK = "block";
    private static final String AT = "at";
    private static final String OUTPUT = "output";
    private static final int LEFT_OUT_MAX = 128;
    private static final int RECEIVED_LENGTH_MAX = 500;

    private AgentEntries() {}

    /**
     * Builds the record of an answer.
     *
     * @param wanted the fields that the run must answer with; empty for a run without them
     * @param at time of the answer, at which its calls begin
     */
    static AgentRun.Entry ofAnswer(
            int turn, ModelResponse answer, Map<String, AgentTool> tools, Optional<ToolSchema> wanted, Instant at) {
        var content = Json.object()
                .put(TEXT, answer.text())
                .put(ENDING, answer.ending().name())
                .put(AT, Json.timestamp(at));
        if (!answer.thoughts().isBlank()) {
            content.put(THOUGHTS, answer.thoughts());
        }
        var calls = content.putArray(CALLS);
        if (answer.ending() != ModelResponse.Ending.CUT_OFF) {
            answer.calls().forEach(call -> {
                var kept = calls.addObject().put("id", call.id()).put("name", call.name());
                kept.set("arguments", call.arguments());
                kept.put("problem", call.problem());
                kept.set(BLOCK, blockOf(tools.get(call.name()), call.name()));
            });
            wanted.ifPresentOrElse(
                    schema -> complete(content, answer, schema),
                    () -> answer.calls().stream()
                            .filter(call -> call.name().equals(COMPLETION_TOOL) && call.problem() == null)
                            .reduce((_, last) -> last)
                            .ifPresent(call -> content.set(COMPLETION, completionOf(call.arguments()))));
        }
        answer.consumption().credits().ifPresent(taken -> content.put(CREDITS, taken));
        content.set(RAW, answer.ending() == ModelResponse.Ending.CUT_OFF ? NullNode.instance : boundedState(answer));
        return new AgentRun.Entry(turn, AgentRun.Entry.ANSWER, content);
    }

    /** Adds the unavailable tools of the run, once for each opening of its tools. */
    static void addLeftOut(ObjectNode answer, List<AgentToolbox.LeftOut> leftOut, List<AgentRun.Entry> entries) {
        var all = Json.array();
        leftOut.stream()
                .limit(LEFT_OUT_MAX)
                .forEach(one -> all.addObject().put("tool", one.tool()).put("reason", one.reason()));
        if (!all.isEmpty()
                && entries.stream()
                        .noneMatch(entry -> entry.content().path(LEFT_OUT).equals(all))) {
            answer.set(LEFT_OUT, all);
        }
    }

    /** An answer as an error shows it: its text and its calls. */
    static String received(JsonNode answer) {
        var calls = new StringBuilder(answer.path(TEXT).asText(""));
        answer.path(CALLS)
                .forEach(call ->
                        calls.append(' ').append(call.path("name").asText()).append(Json.text(call.path("arguments"))));
        return ShownText.of(calls.toString(), RECEIVED_LENGTH_MAX);
    }

    /** State that is too long is left out: the provider gets the text and the calls without it. */
    private static JsonNode boundedState(ModelResponse answer) {
        return Json.text(answer.raw()).length() > STATE_LENGTH_MAX ? NullNode.instance : answer.raw();
    }

    /**
     * Adds the structured fields of the answer: from the completion tool or, if there is no such call, from the text.
     */
    private static void complete(ObjectNode content, ModelResponse answer, ToolSchema schema) {
        var calls = answer.calls().stream()
                .filter(call -> call.name().equals(COMPLETION_TOOL))
                .map(call -> new ToolRequest(
                        call.id(), call.name(), (ObjectNode) completionOf(call.arguments()), call.problem()))
                .toList();
        var isOnlyText = answer.calls().isEmpty();
        if (calls.isEmpty() && !isOnlyText || answer.ending() == ModelResponse.Ending.REFUSED || answer.isEmpty()) {
            return;
        }
        var read = StructuredAnswer.in(
                new ModelResponse(
                        isOnlyText ? answer.text() : "", calls, answer.ending(), 0, 0, List.of(), NullNode.instance),
                COMPLETION_TOOL,
                schema);
        read.value()
                .ifPresentOrElse(object -> content.set(COMPLETION, object), () -> content.put(MISFIT, read.problem()));
    }

    static AgentRun.Entry ofCall(
            AgentEffect.CallTool call,
            ToolRequest request,
            AgentTool tool,
            AgentCalls.Outcome outcome,
            Instant began,
            Instant ended) {
        var content = blockOf(tool, request.name());
        content.put("toolCallId", request.id()).put("status", "completed");
        content.set("input", request.arguments());
        var text = outcome.output().isTextual() ? outcome.output().textValue() : Json.text(outcome.output());
        if (text.length() <= RESULT_LENGTH_MAX) {
            content.set("output", outcome.output());
            content.put(TEXT, text);
        } else {
            var kept = CutText.of(text, RESULT_LENGTH_MAX);
            content.put("output", kept);
            content.put(TEXT, kept + "\n[cut: the result had " + text.length() + " characters]");
        }
        content.put("passing", outcome.passing())
                .put("startTime", Json.timestamp(began))
                .put("endTime", Json.timestamp(ended));
        return new AgentRun.Entry(call.turn(), call.call(), content);
    }

    private static ObjectNode blockOf(AgentTool tool, String name) {
        return tool == null ? AgentTool.unknown(name) : tool.block();
    }

    /** The same with a block for each call of the last answer that has no result yet (contract flows-and-engine 27.3). */
    static List<AgentRun.Entry> withOpenCalls(List<AgentRun.Entry> entries) {
        var all = new ArrayList<>(entries);
        entries.stream()
                .filter(entry -> entry.call() == AgentRun.Entry.ANSWER)
                .max(Comparator.comparingInt(AgentRun.Entry::turn))
                .ifPresent(answer -> all.addAll(openCalls(answer, entries)));
        return all;
    }

    private static List<AgentRun.Entry> openCalls(AgentRun.Entry answer, List<AgentRun.Entry> entries) {
        var ended = entries.stream()
                .filter(entry -> entry.turn() == answer.turn())
                .map(AgentRun.Entry::call)
                .collect(Collectors.toSet());
        var calls = answer.content()
                .path(CALLS)
                .valueStream()
                .filter(call -> !call.path("name").asText().equals(COMPLETION_TOOL))
                .toList();
        return IntStream.range(0, calls.size())
                .filter(number ->
                        !ended.contains(number) && calls.get(number).path(BLOCK).isObject())
                .mapToObj(number -> new AgentRun.Entry(answer.turn(), number, open(calls.get(number), answer)))
                .toList();
    }

    private static ObjectNode open(JsonNode call, AgentRun.Entry answer) {
        ObjectNode block = call.path(BLOCK).deepCopy();
        block.put("toolCallId", call.path("id").asText()).put("status", "in-progress");
        block.set("input", call.path("arguments"));
        block.set("startTime", answer.content().path(AT));
        return block;
    }

    /** Models may leave out the object around the fields. */
    private static JsonNode completionOf(ObjectNode arguments) {
        var output = arguments.path(OUTPUT);
        return output.isObject() ? output : arguments;
    }

    static ToolRequest requestOf(AgentEffect.CallTool call, List<AgentRun.Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.turn() == call.turn() && entry.call() == AgentRun.Entry.ANSWER)
                .map(entry -> callsOf(entry.content()).get(call.call()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the answer of turn " + call.turn() + " is not recorded"));
    }

    static List<ToolRequest> callsOf(ObjectNode answer) {
        return requests(answer).stream()
                .filter(call -> !call.name().equals(COMPLETION_TOOL))
                .toList();
    }

    private static List<ToolRequest> requests(ObjectNode answer) {
        return answer.path(CALLS)
                .valueStream()
                .map(call -> new ToolRequest(
                        call.path("id").asText(),
                        call.path("name").asText(),
                        (ObjectNode) call.path("arguments"),
                        call.hasNonNull("problem") ? call.path("problem").asText() : null))
                .toList();
    }

    /**
     * Builds the conversation so far for the next model request. State of another model is omitted.
     *
     * @param model the fallback model that is asked; empty text for the first model
     */
    static List<ModelMessage> conversation(
            AgentPrompt prompt, List<AgentRun.Entry> entries, Optional<ToolSchema> wanted, String model) {
        var messages = prompt.messages();
        for (var entry : entries) {
            if (entry.call() == AgentRun.Entry.ANSWER) {
                addAnswer(messages, entry, entries, wanted, model);
            }
        }
        return messages;
    }

    private static void addAnswer(
            List<ModelMessage> messages,
            AgentRun.Entry entry,
            List<AgentRun.Entry> all,
            Optional<ToolSchema> wanted,
            String model) {
        var answer = entry.content();
        var text = answer.path(TEXT).asText("");
        var calls = requests(answer);
        if (!text.isBlank() || !calls.isEmpty()) {
            var raw = answer.path(RAW);
            var isOwn = answer.path(MODEL).asText("").equals(model);
            messages.add(new ModelMessage.AssistantMessage(text, calls, raw.isNull() || !isOwn ? null : raw));
        }
        for (var call : calls) {
            messages.add(resultOf(call, entry, all, wanted));
        }
        if (calls.isEmpty()) {
            var isCutOff = answer.path(ENDING).asText().equals(ModelResponse.Ending.CUT_OFF.name());
            messages.add(new ModelMessage.UserMessage(correctionOf(answer, wanted)
                    .orElse(
                            isCutOff
                                    ? "Continue exactly where you stopped."
                                    : "Continue, or give your final answer.")));
        }
    }

    private static Optional<String> correctionOf(JsonNode answer, Optional<ToolSchema> wanted) {
        return wanted.filter(_ -> answer.path(MISFIT).isTextual())
                .map(schema -> StructuredAnswer.correction(
                        COMPLETION_TOOL, answer.path(MISFIT).asText(), schema));
    }

    private static ModelMessage.ToolResultMessage resultOf(
            ToolRequest call, AgentRun.Entry answer, List<AgentRun.Entry> all, Optional<ToolSchema> wanted) {
        if (call.name().equals(COMPLETION_TOOL)) {
            return correctionOf(answer.content(), wanted)
                    .map(correction -> new ModelMessage.ToolResultMessage(call, correction, true))
                    .orElseGet(() -> new ModelMessage.ToolResultMessage(call, "Recorded.", false));
        }
        var number =
                callsOf(answer.content()).stream().map(ToolRequest::id).toList().indexOf(call.id());
        return all.stream()
                .filter(entry -> entry.turn() == answer.turn() && entry.call() == number)
                .findFirst()
                .map(entry -> new ModelMessage.ToolResultMessage(
                        call,
                        entry.content().path(TEXT).asText(),
                        entry.content().at("/output/failed").asBoolean(false)))
                .orElseGet(() -> new ModelMessage.ToolResultMessage(call, "The call was not executed.", true));
    }
}
