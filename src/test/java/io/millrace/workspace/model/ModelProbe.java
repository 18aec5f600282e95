package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelTool;
import io.millrace.piece.model.ToolRequest;
import io.millrace.piece.model.ToolSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Test request to a model, and the expected response: the kinds of deviations that {@link Quirk} lists, as a provider
 * shows them.
 */
enum ModelProbe {
    TEXT("Answer with the one word: ready") {
        @Override
        String objection(Conversation conversation) {
            var answer = conversation.ask(request(List.of()));
            return answer.text().toLowerCase(Locale.ROOT).contains("ready") ? "" : "text: " + answer.text();
        }
    },

    ONE_CALL("weather {\"city\":\"Oslo\"}"),

    PARALLEL_CALLS("weather {\"city\":\"Oslo\"}\nweather {\"city\":\"Rome\"}"),

    TWO_TOOLS("weather {\"city\":\"Oslo\"}\nclock {\"zone\":\"CET\"}"),

    CALL_WITHOUT_ARGUMENTS("ping {}"),

    NESTED_ARGUMENTS(
            "order {\"lines\":[{\"name\":\"rye \\\"fine\\\"\",\"count\":2}],\"to\":{\"city\":\"Z\u00fcrich\"}}"),

    FORCED_CALL("weather {\"city\":\"Oslo\"}") {
        @Override
        String objection(Conversation conversation) {
            return compared(conversation
                    .ask(request(tools()).using(new ModelRequest.ToolUse.Forced("weather")))
                    .calls());
        }
    },

    /** The state of a call must be accepted when it is sent back. */
    RESULTS_SENT_BACK("weather {\"city\":\"Oslo\"}") {
        @Override
        String objection(Conversation conversation) {
            var request = request(tools());
            var first = conversation.ask(request);
            var objection = compared(first.calls());
            if (!objection.isEmpty()) {
                return objection;
            }
            var messages = new ArrayList<>(request.messages());
            messages.add(new ModelMessage.AssistantMessage(first.text(), first.calls(), first.raw()));
            first.calls()
                    .forEach(
                            call -> messages.add(new ModelMessage.ToolResultMessage(call, "17 degrees, sunny", false)));
            var second = conversation.ask(request.saying(messages));
            return second.text().contains("17") ? "" : "text after the result: " + second.text();
        }
    },

    /**
     * Arrays without items, references, a choice at the root, long names and keys of any letters, after the normalizer.
     */
    ODD_SCHEMAS("weather {\"city\":\"Oslo\"}") {
        @Override
        String objection(Conversation conversation) {
            var odd = Stream.of(
                            "{'type':'object','properties':{'list':{'type':'array'}}}",
                            "{}",
                            "{'anyOf':[{'type':'object','properties':{'a':{'type':'string'}}},{'type':'object','properties':{'b':{'type':'number'}}}]}",
                            "{'type':'object','properties':{'p':{'$ref':'#/$defs/P'}},'$defs':{'P':{'type':'object','properties':{'Stra\u00dfe und Ort':{'type':'string'}}}}}")
                    .map(ModelProbe::json)
                    .toList();
            var tools = new ArrayList<>(tools());
            odd.forEach(schema -> tools.add(new ModelTool(
                    "odd_" + tools.size() + "_" + "x".repeat(57),
                    "Is never called.",
                    ToolSchema.of(schema).schema())));
            return compared(conversation.ask(request(tools)).calls());
        }
    };

    private static final int OUTPUT_TOKENS_MAX = 1_000;
    private static final String INSTRUCTION =
            "You test a protocol. When lines name tools with arguments, call exactly these tools with exactly these"
                    + " arguments, all of them in one answer, and say nothing.";

    private final String question;

    ModelProbe(String question) {
        this.question = question;
    }

    /** Provider under test. */
    interface Conversation {
        /** Fails with an exception whose message names the problem. */
        ModelResponse ask(ModelRequest request);
    }

    /** Empty if the response is as expected, otherwise the deviation. */
    String objection(Conversation conversation) {
        return compared(conversation.ask(request(tools())).calls());
    }

    ModelRequest request(List<ModelTool> tools) {
        return new ModelRequest(
                INSTRUCTION,
                List.of(new ModelMessage.UserMessage(question)),
                tools,
                new ModelRequest.ToolUse.Free(),
                OptionalInt.of(OUTPUT_TOKENS_MAX),
                OptionalDouble.empty(),
                Optional.empty());
    }

    static List<ModelTool> tools() {
        return List.of(
                tool("weather", "{'type':'object','properties':{'city':{'type':'string'}},'required':['city']}"),
                tool("clock", "{'type':'object','properties':{'zone':{'type':'string'}},'required':['zone']}"),
                tool("ping", "{'type':'object','properties':{}}"),
                tool(
                        "order",
                        "{'type':'object','properties':{'lines':{'type':'array','items':{'type':'object','properties':{"
                                + "'name':{'type':'string'},'count':{'type':'integer'}}}},'to':{'type':'object','properties':{"
                                + "'city':{'type':'string'}}}},'required':['lines','to']}"));
    }

    private static ModelTool tool(String name, String schema) {
        return new ModelTool(name, "Tool " + name, ToolSchema.of(json(schema)).schema());
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }

    /** Compares calls with the lines of the request, in any order. */
    String compared(List<ToolRequest> calls) {
        var problem = calls.stream()
                .map(ToolRequest::problem)
                .filter(Objects::nonNull)
                .findFirst();
        if (problem.isPresent()) {
            return problem.get();
        }
        var expected = question.lines().sorted().collect(Collectors.joining("; "));
        var found = calls.stream()
                .map(call -> call.name() + " " + Json.text(call.arguments()))
                .sorted()
                .collect(Collectors.joining("; "));
        return found.equals(expected) ? "" : "calls: " + (found.isEmpty() ? "none" : found);
    }
}
