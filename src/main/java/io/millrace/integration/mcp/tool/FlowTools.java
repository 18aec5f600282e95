package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.engine.run.Runs;
import io.millrace.engine.webhook.Webhooks;
import io.millrace.engine.webhook.Webhooks.Outcome;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.model.ToolSchema;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Flows as tools: every enabled flow whose published trigger is {@code mcp_tool} (contract flows-and-engine 28.3). */
public final class FlowTools {
    static final String PIECE = "@activepieces/piece-mcp";
    static final String TRIGGER = "mcp_tool";

    private static final long LIST_DEADLINE_MS = 10_000;
    private static final int ID_PART = 4;

    /** Longest name of a tool that all clients accept, the part of the id included. */
    private static final int NAME_LENGTH_MAX = 64;

    private final Bus bus;
    private final long timeoutMs;
    private final InstantSource clock;
    private final RunCancels cancels;

    /** @param timeoutMs longest wait for the answer of a flow, as at its webhook */
    public FlowTools(Bus bus, long timeoutMs, InstantSource clock) {
        this.bus = bus;
        this.timeoutMs = timeoutMs;
        this.clock = clock;
        this.cancels = new RunCancels(bus);
    }

    /** The flows of a project that are tools, oldest first. */
    public Future<List<Flows.FlowWithVersion>> flows(String projectId) {
        return bus.ask(new Flows.FindTriggered(projectId, PIECE, TRIGGER), LIST_DEADLINE_MS);
    }

    public Future<List<Tool>> of(String projectId) {
        return flows(projectId).map(flows -> {
            var taken = new HashSet<String>();
            var tools = new ArrayList<Tool>();
            flows.forEach(flow -> tools.add(tool(flow, taken)));
            return tools;
        });
    }

    private Tool tool(Flows.FlowWithVersion flow, Set<String> taken) {
        var input =
                ((PieceTriggerStep) flow.version().steps().trigger()).settings().path("input");
        var flowId = flow.flow().id();
        var wanted = input.path("toolName").asText("");
        var title = wanted.isBlank() ? flow.version().displayName() : wanted;
        var name = nameOf(title, flowId);
        // Two flows have the same name and the same prefix of the id: the later one gets its whole id.
        var free = taken.add(name) ? name : withId(title, flowId);
        taken.add(free);
        // Names of parameters are the author's; keys that clients refuse are mapped.
        var schema = ToolSchema.of(inputOf(input.path("inputSchema")).schema());
        var spec = new ToolSpec(
                free,
                title,
                input.path("toolDescription").asText(""),
                ToolInput.of(schema),
                null,
                ToolSpec.Effect.UNKNOWN);
        var waits = input.path("returnsResponse").asBoolean(false);
        return new Tool(
                spec,
                new Tool.Origin.FlowOrigin(flowId),
                use -> call(use, flowId, waits, schema.restored(use.arguments())));
    }

    static String nameOf(String toolName, String flowId) {
        return withId(toolName, flowId.substring(0, ID_PART));
    }

    private static String withId(String toolName, String id) {
        var name = snake(toolName);
        return name.substring(0, Math.min(name.length(), NAME_LENGTH_MAX - id.length() - 1)) + '_' + id;
    }

    private static String snake(String text) {
        var snake = new StringBuilder();
        for (var character : text.strip().toLowerCase(Locale.ROOT).toCharArray()) {
            var isPlain = character >= 'a' && character <= 'z' || character >= '0' && character <= '9';
            if (isPlain) {
                snake.append(character);
            } else if (!snake.isEmpty() && snake.charAt(snake.length() - 1) != '_') {
                snake.append('_');
            }
        }
        while (!snake.isEmpty() && snake.charAt(snake.length() - 1) == '_') {
            snake.setLength(snake.length() - 1);
        }
        return snake.isEmpty() ? "flow" : snake.toString();
    }

    static ToolInput inputOf(JsonNode parameters) {
        var input = ToolInput.none();
        for (var parameter : parameters) {
            var name = parameter.path("name").asText("");
            if (!name.isEmpty()) {
                var type = parameter.path("type").asText("");
                input.with(name, jsonType(type), parameter.path("description").asText(""));
                if (type.equals("Date")) {
                    input.with(name, "format", TextNode.valueOf("date-time"));
                }
                if (parameter.path("required").asBoolean(false)) {
                    input.requiring(name);
                }
            }
        }
        return input;
    }

    private static String jsonType(String type) {
        return switch (type) {
            case "Boolean" -> "boolean";
            case "Number" -> "number";
            case "Array" -> "array";
            case "Object" -> "object";
            default -> "string";
        };
    }

    private Future<ToolResult> call(Tool.Use use, String flowId, boolean waits, ObjectNode arguments) {
        var runId = Runs.nextId(clock.instant());
        var received = new Webhooks.Received(
                flowId,
                waits ? Webhooks.Variant.SYNC : Webhooks.Variant.ASYNC,
                payload(arguments),
                List.of(),
                Runs.Start.ParentRun.none(true),
                new Webhooks.Received.CallMarks(null, null, runId),
                timeoutMs);
        return cancels.ofRun(use.cancellation(), use.projectId(), runId, bus.ask(received, timeoutMs))
                .map(FlowTools::result)
                .recover(failure -> waits && Bus.isUnanswered(failure, Webhooks.Received.class)
                        ? Future.succeededFuture(late())
                        : Future.failedFuture(failure));
    }

    /** Payload that the flow's webhook would make of the request (contract flows-and-engine 17.3). */
    private static ObjectNode payload(ObjectNode arguments) {
        var payload = Json.object().put("method", "POST");
        payload.putObject("headers").put("content-type", "application/json");
        payload.putObject("queryParams");
        payload.set("body", arguments);
        return payload;
    }

    private static ToolResult result(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Accepted _ -> ToolResult.done("The flow was started.");
            case Outcome.Answered(var answer) -> result(answer);
            case Outcome.HandshakeAnswered(var answer) -> result(answer);
            case Outcome.Repeated(var _, var first) -> result(first);
            case Outcome.RunFailed _ -> ToolResult.failed("The flow has failed and there is no response returned");
            case Outcome.NeverAnswers _ -> late();
            case Outcome.Gone _, Outcome.Disabled _ -> ToolResult.failed("The flow is no longer a tool.");
            case Outcome.Unauthorized _ -> ToolResult.failed("The flow's trigger did not accept the call.");
        };
    }

    private static ToolResult late() {
        return ToolResult.failed("The flow returned no response in time. Its run may still continue.");
    }

    private static ToolResult result(HttpAnswer answer) {
        var body = answer.body() == null ? Json.object() : answer.body();
        if (answer.isFile()) {
            // Written as base64 text.
            body = TextNode.valueOf(Base64.getEncoder().encodeToString(answer.bytes()));
        }
        if (answer.status() >= 200 && answer.status() < 300) {
            return ToolResult.json(body);
        }
        var failed = Json.object().put("status", answer.status());
        failed.set("body", body);
        return new ToolResult(ToolResult.json(failed).text(), true);
    }
}
