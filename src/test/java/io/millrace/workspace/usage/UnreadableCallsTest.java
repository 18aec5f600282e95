package io.millrace.workspace.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.metrics.MeterSet;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelTool;
import io.millrace.piece.model.ToolRequest;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UnreadableCallsTest {
    private static final ModelChoice CHOICE = new ModelChoice("custom", "k", "mill-1", 1_000);

    private final MeterSet meters = new MeterSet();
    private final UnreadableCalls calls = new UnreadableCalls(meters);

    private static ModelTool tool(String name, String... required) {
        var schema = Json.object().put("type", "object");
        for (var field : required) {
            schema.withArray("/required").add(field);
        }
        return new ModelTool(name, "", schema);
    }

    private Map<String, Long> count(ToolRequest... made) {
        var request = new ModelRequest(
                "",
                List.of(new ModelMessage.UserMessage("Go.")),
                List.of(tool("strict", "city"), tool("free")),
                new ModelRequest.ToolUse.Free(),
                OptionalInt.empty(),
                OptionalDouble.empty(),
                Optional.empty());
        calls.count(
                "p",
                CHOICE,
                request,
                new ModelResponse("", List.of(made), ModelResponse.Ending.WHOLE, 0, 0, List.of(), Json.object()));
        var counts = new TreeMap<String, Long>();
        meters.collect().stream()
                .filter(CounterSnapshot.class::isInstance)
                .flatMap(snapshot -> ((CounterSnapshot) snapshot).getDataPoints().stream())
                .forEach(point -> counts.put(point.getLabels().get("reason"), (long) point.getValue()));
        return counts;
    }

    private static ToolRequest call(String name, ObjectNode arguments, String problem) {
        return new ToolRequest("c", name, arguments, problem);
    }

    @Test
    void countsCallsWithoutTheArgumentsOfTheModel_andNoOthers() {
        assertThat(count(
                        call("strict", Json.object(), "the arguments are no JSON: {"),
                        call("strict", Json.object(), null),
                        call("strict", Json.object().put("city", "Oslo"), null),
                        call("free", Json.object(), null),
                        call("unknown", Json.object(), null)))
                .isEqualTo(Map.of("malformed", 1L, "missing", 1L));
    }
}
