package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.agent.machine.AgentEffect;
import io.millrace.piece.model.ToolRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reasons to refuse a call of the model (contract agents 2.2, 5.2). Pure: the same after a restart. */
final class ToolCallPolicy {
    private static final int CALLS_OF_A_KIND_MAX = 50;
    private static final int FRUITLESS_MAX = 2;

    private final Map<String, AgentTool> tools;
    private final List<AgentRun.Entry> entries;

    /** @param entries all that is recorded, as it grows */
    ToolCallPolicy(Map<String, AgentTool> tools, List<AgentRun.Entry> entries) {
        this.tools = tools;
        this.entries = entries;
    }

    Optional<String> objection(AgentEffect.CallTool call, ToolRequest request) {
        var tool = tools.get(request.name());
        if (tool == null) {
            return Optional.of("There is no tool named " + request.name());
        }
        if (request.problem() != null) {
            return Optional.of("The call was not executed: " + request.problem());
        }
        // A server may lose the arguments of a call: such a call has none.
        if (request.arguments().isEmpty()) {
            var missing = tool.schema().objections(request.arguments());
            if (!missing.isEmpty()) {
                return Optional.of(
                        "The call was not executed: no arguments were received; " + String.join("; ", missing));
            }
        }
        if (earlierAlike(call, tool) >= CALLS_OF_A_KIND_MAX) {
            return Optional.of("The run has used up its " + CALLS_OF_A_KIND_MAX + " calls of this kind");
        }
        var fruitless = entries.stream()
                .filter(entry -> entry.call() != AgentRun.Entry.ANSWER)
                .map(AgentRun.Entry::content)
                .filter(content -> content.path("toolName").asText().equals(request.name())
                        && content.path("input").equals(request.arguments())
                        && isFruitless(content))
                .count();
        return fruitless >= FRUITLESS_MAX
                ? Optional.of(
                        "The same call has failed or found nothing " + fruitless + " times; it was not executed again")
                : Optional.empty();
    }

    /** Counts earlier calls of the same kind, including those of the same turn, which have no results yet. */
    private long earlierAlike(AgentEffect.CallTool call, AgentTool wantedNow) {
        return entries.stream()
                .filter(entry -> entry.call() == AgentRun.Entry.ANSWER && entry.turn() <= call.turn())
                .mapToLong(entry -> {
                    var wanted = AgentEntries.callsOf(entry.content());
                    var count = entry.turn() == call.turn() ? Math.min(call.call(), wanted.size()) : wanted.size();
                    return wanted.stream()
                            .limit(count)
                            .map(one -> tools.get(one.name()))
                            .filter(tool -> tool != null && tool.isCountedWith(wantedNow))
                            .count();
                })
                .sum();
    }

    private static boolean isFruitless(JsonNode content) {
        var output = content.path("output");
        return output.path("failed").asBoolean(false)
                ? !content.path("passing").asBoolean(false)
                : output.isNull()
                        || output.isContainerNode() && output.isEmpty()
                        || output.isTextual() && output.asText().isBlank();
    }
}
