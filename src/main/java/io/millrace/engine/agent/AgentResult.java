package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.agent.machine.AgentSpending;
import io.millrace.engine.agent.machine.AgentState;
import io.millrace.engine.agent.machine.SpendingLimits;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Result of an agent run for the step or client that requested it (contract agents 3.3, flows-and-engine 27.3). */
final class AgentResult {
    /** Maximum number of characters of JSON of all blocks together; blocks past this limit are dropped. */
    private static final int BLOCKS_LENGTH_MAX = 262_144;

    private static final double MICROS_OF_DOLLAR = 1_000_000;

    private AgentResult() {}

    static ObjectNode of(
            AgentWork work, AgentState.Finished state, List<AgentRun.Entry> entries, Optional<String> failure) {
        var ending = state.ending();
        var output = structured(entries);
        var lacksFields = ending.isNormal() && !work.structuredOutput().isEmpty() && output.isEmpty();
        var completed = ending.isNormal() && !state.progress().toolFailed() && !lacksFields;
        var result = result(
                        work.prompt().instruction(),
                        entries,
                        lacksFields ? Optional.of(misfit(entries)) : remark(work, state, failure))
                .put("status", completed ? "COMPLETED" : "FAILED");
        if (!work.spending().equals(SpendingLimits.NONE)) {
            result.set("usage", usage(state.progress().spending()));
        }
        output.ifPresent(fields -> result.set("structuredOutput", fields));
        if (ending.failsStep()) {
            result.put("failure", failure.orElse("The agent could not be run"));
        }
        return result;
    }

    /** The result of a run whose records could not be made into one. */
    static ObjectNode broken(String instruction, String failure) {
        var result = Json.object().put("prompt", instruction);
        result.putArray("steps");
        return result.put("status", "FAILED").put("failure", failure);
    }

    static ObjectNode soFar(String instruction, List<AgentRun.Entry> entries) {
        return result(instruction, AgentEntries.withOpenCalls(entries), Optional.empty())
                .put("status", "IN_PROGRESS");
    }

    private static ObjectNode result(String instruction, List<AgentRun.Entry> entries, Optional<String> remark) {
        var result = Json.object().put("prompt", instruction);
        var blocks = result.putArray("steps");
        var length = 0;
        for (var entry : inOrder(entries)) {
            for (var block : blocks(entry)) {
                length += Json.text(block).length();
                if (length <= BLOCKS_LENGTH_MAX) {
                    blocks.add(block);
                }
            }
        }
        remark.ifPresent(text ->
                blocks.addObject().put("type", "MARKDOWN").put("markdown", text).put("remark", true));
        var leftOut = leftOut(entries);
        if (!leftOut.isEmpty()) {
            result.set(AgentEntries.LEFT_OUT, leftOut);
        }
        return result;
    }

    /** Calls of a turn end in any order. */
    private static List<AgentRun.Entry> inOrder(List<AgentRun.Entry> entries) {
        return entries.stream()
                .sorted(Comparator.comparingInt(AgentRun.Entry::turn).thenComparingInt(AgentRun.Entry::call))
                .toList();
    }

    private static List<ObjectNode> blocks(AgentRun.Entry entry) {
        if (entry.call() != AgentRun.Entry.ANSWER) {
            return List.of(entry.content().deepCopy().without(AgentEntries.TEXT));
        }
        var text = entry.content().path(AgentEntries.TEXT).asText("");
        return text.isBlank()
                ? List.of()
                : List.of(Json.object().put("type", "MARKDOWN").put("markdown", text));
    }

    private static String misfit(List<AgentRun.Entry> entries) {
        var answers = entries.stream()
                .filter(entry -> entry.call() == AgentRun.Entry.ANSWER)
                .map(AgentRun.Entry::content)
                .toList();
        var problem = answers.stream()
                .map(answer -> answer.path(AgentEntries.MISFIT).asText(""))
                .filter(text -> !text.isEmpty())
                .reduce((_, last) -> last)
                .orElse("it contains no JSON object");
        var received = answers.isEmpty() ? "" : AgentEntries.received(answers.getLast());
        return "The model's answer lacks the requested fields (" + problem + "). Its answer: "
                + (received.isEmpty() ? "nothing" : received);
    }

    private static ArrayNode leftOut(List<AgentRun.Entry> entries) {
        var all = Json.array();
        entries.stream()
                .flatMap(entry -> entry.content().path(AgentEntries.LEFT_OUT).valueStream())
                .distinct()
                .forEach(all::add);
        return all;
    }

    private static ObjectNode usage(AgentSpending spending) {
        return Json.object().put("tokens", spending.tokens()).put("costUsd", spending.costMicros() / MICROS_OF_DOLLAR);
    }

    private static Optional<String> remark(AgentWork work, AgentState.Finished state, Optional<String> failure) {
        return switch (state.ending()) {
            case ANSWERED, TURN_LIMIT, DEAD_TURN -> Optional.empty();
            case OUTPUT_LIMIT -> Optional.of("The answer was cut off by the output limit of the model.");
            case USAGE_LIMIT ->
                Optional.of("The agent has used up its budget"
                        + failure.map(reason -> ": " + reason)
                                .orElseGet(() -> reached(work, state.progress().spending()))
                        + ".");
            case STOPPED -> Optional.of("The agent was stopped: it exceeded its time limit.");
            case CANCELLED -> Optional.of("The agent was canceled.");
        };
    }

    /** The limit of the author that the next turn would exceed, and what was used; empty text for the limit of every run. */
    private static String reached(AgentWork work, AgentSpending spending) {
        var limits = work.spending();
        if (!limits.isReachedBy(spending)) {
            return "";
        }
        return limits.isReachedByTokens(spending)
                ? String.format(
                        Locale.ROOT,
                        ": %d of at most %d tokens are used; the next request takes at least %d",
                        spending.tokens(),
                        limits.tokensMax(),
                        spending.nextTokens())
                : String.format(
                        Locale.ROOT,
                        ": $%.4f of at most $%.4f are spent; the next request costs at least $%.4f",
                        spending.costMicros() / MICROS_OF_DOLLAR,
                        limits.costMicrosMax() / MICROS_OF_DOLLAR,
                        spending.nextCostMicros() / MICROS_OF_DOLLAR);
    }

    /** Input of the last call of the completion tool. */
    private static Optional<ObjectNode> structured(List<AgentRun.Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.call() == AgentRun.Entry.ANSWER)
                .map(entry -> entry.content().path(AgentEntries.COMPLETION))
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast)
                .reduce((_, last) -> last);
    }

    /** The conversation as chats show it (contract agents 6.2). */
    static ArrayNode messages(String instruction, List<AgentRun.Entry> entries) {
        var messages = Json.array();
        messages.addObject()
                .put("role", "user")
                .putArray("parts")
                .addObject()
                .put("type", "text")
                .put("text", instruction);
        if (entries.isEmpty()) {
            return messages;
        }
        var parts = messages.addObject().put("role", "assistant").putArray("parts");
        for (var entry : entries) {
            var content = entry.content();
            if (entry.call() == AgentRun.Entry.ANSWER) {
                var thoughts = content.path(AgentEntries.THOUGHTS).asText("");
                if (!thoughts.isBlank()) {
                    parts.addObject().put("type", "reasoning").put("text", thoughts);
                }
                var text = content.path(AgentEntries.TEXT).asText("");
                if (!text.isBlank()) {
                    parts.addObject().put("type", "text").put("text", text);
                }
            } else {
                var failed = content.at("/output/failed").asBoolean(false);
                var part = parts.addObject()
                        .put("type", "tool-call")
                        .put("toolCallId", content.path("toolCallId").asText())
                        .put("toolName", content.path("toolName").asText())
                        .put("status", failed ? "error" : "completed");
                part.set("input", content.path("input"));
                part.set("output", content.path("output"));
            }
        }
        return messages;
    }
}
