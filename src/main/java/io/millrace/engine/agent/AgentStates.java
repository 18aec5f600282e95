package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.agent.machine.AgentEnding;
import io.millrace.engine.agent.machine.AgentProgress;
import io.millrace.engine.agent.machine.AgentSpending;
import io.millrace.engine.agent.machine.AgentState;
import java.util.HashSet;

final class AgentStates {
    private AgentStates() {}

    static ObjectNode write(AgentState state) {
        return switch (state) {
            case AgentState.Accepted _ -> Json.object().put("at", "ACCEPTED");
            case AgentState.Asking(var progress, var attempt) ->
                write(progress).put("at", "ASKING").put("attempt", attempt);
            case AgentState.Calling(var progress, var open) -> {
                var json = write(progress).put("at", "CALLING");
                var calls = json.putArray("open");
                open.stream().sorted().forEach(calls::add);
                yield json;
            }
            case AgentState.Finished(var progress, var ending) ->
                write(progress).put("at", "FINISHED").put("ending", ending.name());
        };
    }

    private static ObjectNode write(AgentProgress progress) {
        return Json.object()
                .put("turn", progress.turn())
                .put("tokens", progress.tokens())
                .put("costMicros", progress.spending().costMicros())
                .put("nextTokens", progress.spending().nextTokens())
                .put("nextCostMicros", progress.spending().nextCostMicros())
                .put("continuations", progress.continuations())
                .put("nudges", progress.nudges())
                .put("repairs", progress.repairs())
                .put("toolFailed", progress.toolFailed())
                .put("completed", progress.completed());
    }

    static AgentState read(JsonNode json) {
        return switch (json.path("at").asText()) {
            case "ACCEPTED" -> new AgentState.Accepted();
            case "ASKING" ->
                new AgentState.Asking(progress(json), json.path("attempt").asInt());
            case "CALLING" -> {
                var open = new HashSet<Integer>();
                json.path("open").forEach(call -> open.add(call.asInt()));
                yield new AgentState.Calling(progress(json), open);
            }
            case "FINISHED" ->
                new AgentState.Finished(
                        progress(json), AgentEnding.valueOf(json.path("ending").asText()));
            case String other -> throw new IllegalArgumentException("expected a state of an agent run, found " + other);
        };
    }

    private static AgentProgress progress(JsonNode json) {
        return new AgentProgress(
                json.path("turn").asInt(),
                new AgentSpending(
                        json.path("tokens").asLong(),
                        json.path("costMicros").asLong(),
                        json.path("nextTokens").asLong(),
                        json.path("nextCostMicros").asLong()),
                json.path("continuations").asInt(),
                json.path("nudges").asInt(),
                json.path("repairs").asInt(),
                json.path("toolFailed").asBoolean(),
                json.path("completed").asBoolean());
    }
}
