package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.agent.machine.AgentEffect;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ToolRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What is recorded of a run, and the conversation that it makes. An answer keeps the text, the calls with their blocks, the message as the
 * provider wrote it, and what the completion tool was given; a call keeps its block and the text that the model sees.
 */
final class AgentEntries {
    static final String TEXT = "text";
    static final String COMPLETION = "completion";
    static final String CREDITS = "credits";

    /** The tool by which a structured answer is given (contract agents 5.2). */
    static final String COMPLETION_TOOL = "updateTaskStatus";

    private static final int RESULT_LENGTH_MAX = 64 * 1024;
    private static final String CALLS = "calls";
    private static final String RAW = "raw";
    private static final String ENDING = "ending";
    private static final String BLOCK = "block";
    private static final String AT = "at";

    private AgentEntries() {}

    /** @param at when it came: its calls begin */
    static AgentRun.Entry ofAnswer(int turn, ModelResponse answer, Map<String, AgentTool> tools, Instant at) {
        var content = Json.object()
                .put(TEXT, answer.text())
                .put(ENDING, answer.ending().name())
                .put(AT, Json.timestamp(at));
        var calls = content.putArray(CALLS);
        if (answer.ending() != ModelResponse.Ending.CUT_OFF) {
            answer.calls().forEach(call -> {
                var kept = calls.addObject().put("id", call.id()).put("name", call.name());
                kept.set("arguments", call.arguments());
                kept.put("problem", call.problem());
                kept.set(BLOCK, blockOf(tools.get(call.name()), call.name()));
            });
            answer.calls().stream()
                    .filter(call -> call.name().equals(COMPLETION_TOOL))
                    .reduce((_, last) -> last)
                    .ifPresent(call -> content.set(COMPLETION, completionOf(call)));
        }
        answer.credits().ifPresent(taken -> content.put(CREDITS, taken));
        content.set(RAW, answer.ending() == ModelResponse.Ending.CUT_OFF ? NullNode.instance : answer.raw());
        return new AgentRun.Entry(turn, AgentRun.Entry.ANSWER, content);
    }

    /** The result of a call, cut where it is long. */
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
            var kept = text.substring(0, RESULT_LENGTH_MAX);
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

    private static JsonNode completionOf(ToolRequest call) {
        var output = call.arguments().path("output");
        return output.isObject() ? output : call.arguments();
    }

    /** What the model wants to be called. */
    static ToolRequest requestOf(AgentEffect.CallTool call, List<AgentRun.Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.turn() == call.turn() && entry.call() == AgentRun.Entry.ANSWER)
                .map(entry -> callsOf(entry.content()).get(call.call()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the answer of turn " + call.turn() + " is not recorded"));
    }

    /** The calls of an answer that have to be performed, by their numbers. */
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

    /** The conversation so far, as the model wants it next. */
    static List<ModelMessage> conversation(String instruction, List<AgentRun.Entry> entries) {
        var messages = new ArrayList<ModelMessage>();
        messages.add(new ModelMessage.UserMessage(instruction));
        for (var entry : entries) {
            if (entry.call() == AgentRun.Entry.ANSWER) {
                addAnswer(messages, entry, entries);
            }
        }
        return messages;
    }

    private static void addAnswer(List<ModelMessage> messages, AgentRun.Entry entry, List<AgentRun.Entry> all) {
        var answer = entry.content();
        var text = answer.path(TEXT).asText("");
        var calls = requests(answer);
        if (!text.isBlank() || !calls.isEmpty()) {
            var raw = answer.path(RAW);
            messages.add(new ModelMessage.AssistantMessage(text, calls, raw.isNull() ? null : raw));
        }
        for (var call : calls) {
            messages.add(resultOf(call, entry, all));
        }
        if (calls.isEmpty()) {
            messages.add(new ModelMessage.UserMessage(
                    answer.path(ENDING).asText().equals(ModelResponse.Ending.CUT_OFF.name())
                            ? "Continue exactly where you stopped."
                            : "Go on, or give your final answer."));
        }
    }

    private static ModelMessage.ToolResultMessage resultOf(
            ToolRequest call, AgentRun.Entry answer, List<AgentRun.Entry> all) {
        if (call.name().equals(COMPLETION_TOOL)) {
            return new ModelMessage.ToolResultMessage(call, "Recorded.", false);
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
                .orElseGet(() -> new ModelMessage.ToolResultMessage(call, "The call was not performed.", true));
    }
}
