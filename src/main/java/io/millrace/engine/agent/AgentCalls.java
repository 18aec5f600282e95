package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.base.net.OutboundHttp;
import io.millrace.engine.agent.outside.ExternalServer;
import io.millrace.engine.run.IdempotencyKey;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.step.SingleActions;
import io.millrace.engine.webhook.Webhooks;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.model.ToolRequest;
import io.millrace.sandbox.expression.parser.References;
import io.millrace.workspace.web.WebFailure;
import io.millrace.workspace.web.WebTool;
import io.millrace.workspace.web.WebTools;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Performs the tool calls of a run, in the project's name and with its rights only. Every failure is reported to the model and
 * never ends the run.
 */
final class AgentCalls {
    /**
     * Name of a connection inside the expression that refers to it; excludes the characters that could end the expression.
     */
    private static final Pattern NAME = Pattern.compile("[^'\\\\{}]{1,255}");

    private final Bus bus;
    private final PieceCatalogue pieces;
    private final SingleActions actions;
    private final OutboundHttp outbound;
    private final Duration flowTimeout;
    private final KnowledgeCalls knowledge;
    private final WebTools web;

    /** @param flowTimeout longest wait for the answer of a flow */
    AgentCalls(
            Bus bus,
            PieceCatalogue pieces,
            SingleActions actions,
            OutboundHttp outbound,
            WebTools web,
            Duration flowTimeout) {
        this.web = web;
        this.bus = bus;
        this.pieces = pieces;
        this.actions = actions;
        this.outbound = outbound;
        this.flowTimeout = flowTimeout;
        this.knowledge = new KnowledgeCalls(bus);
    }

    /**
     * Result of a call.
     *
     * @param passing true if the failure may be temporary, so that a later call can succeed
     */
    record Outcome(JsonNode output, boolean failed, boolean passing) {
        static Outcome of(JsonNode output) {
            return new Outcome(output, false, false);
        }

        static Outcome refused(String reason) {
            return new Outcome(Json.object().put("failed", true).put("error", reason), true, false);
        }

        static Outcome passing(String reason) {
            return new Outcome(Json.object().put("failed", true).put("error", reason), true, true);
        }
    }

    /**
     * @param key the same for every repetition of this call after a crash
     * @param lease permission to send to the outside
     */
    Future<Outcome> perform(AgentRun run, AgentTool tool, ToolRequest request, String key, Fence lease) {
        var restored = tool.restored(request);
        return Future.succeededFuture(tool)
                .compose(known -> switch (known.kind()) {
                    case PIECE -> piece(run, known, restored, key, lease);
                    case FLOW -> flow(run, known, restored, key);
                    case MCP -> server(known, restored, lease);
                    case KNOWLEDGE_BASE -> knowledge.perform(run, known, restored);
                    case WEB -> web(run, known, restored);
                })
                .recover(failure -> Future.succeededFuture(told(failure)));
    }

    private static Outcome told(Throwable failure) {
        return switch (failure) {
            case PieceFailure refused -> Outcome.refused(refused.getMessage());
            case WebFailure broken when broken.isPassing() -> Outcome.passing(broken.getMessage());
            case WebFailure refused -> Outcome.refused(refused.getMessage());
            case ExternalServer.Unusable refused -> Outcome.refused(refused.getMessage());
            case TimeoutException _ -> Outcome.passing("The call took too long.");
            case ApiException refused when ApiException.isUnavailable(refused) -> Outcome.passing(refused.text());
            case ApiException refused -> Outcome.refused(refused.text());
            default -> Outcome.refused("The tool failed: " + failure.getMessage());
        };
    }

    private Future<Outcome> piece(AgentRun run, AgentTool tool, ToolRequest request, String key, Fence lease) {
        var metadata = tool.source().path("pieceMetadata");
        var scope = PieceScope.of(run.platformId());
        var name = metadata.path("pieceName").asText();
        var wanted = metadata.path("pieceVersion").asText();
        var version = pieces.has(scope, name, wanted)
                ? wanted
                : pieces.newest(scope, name)
                        .map(piece -> piece.spec().versions().getLast())
                        .orElse(wanted);
        var input = inputOf(metadata.path("predefinedInput"), request.arguments());
        return actions.runPlain(
                        new SingleActions.Parameters(
                                scope,
                                run.projectId(),
                                name,
                                version,
                                metadata.path("actionName").asText(),
                                input),
                        connectionOf(metadata.path("predefinedInput")),
                        key,
                        lease)
                .map(Outcome::of);
    }

    /**
     * Merges the inputs that the author predefined with the arguments of the model; arguments of the model are never evaluated
     * as expressions (contract agents 5.1).
     */
    private static ObjectNode inputOf(JsonNode predefined, ObjectNode arguments) {
        var input = (ObjectNode) unevaluated(arguments);
        predefined.path("fields").properties().forEach(field -> {
            switch (field.getValue().path("mode").asText()) {
                case "choose-yourself" ->
                    input.set(field.getKey(), field.getValue().path("value"));
                case "leave-empty" -> input.remove(field.getKey());
                default -> {
                    // The model chooses the value.
                }
            }
        });
        input.remove("auth");
        return input;
    }

    /** The connection that the author pinned, by its external id or as authors write it in a step. */
    private static Optional<String> connectionOf(JsonNode predefined) {
        var auth = predefined.path("auth").asText("");
        return auth.contains("{{")
                ? References.connectionNames(auth).stream().findFirst()
                : Optional.of(auth).filter(name -> NAME.matcher(name).matches());
    }

    private static JsonNode unevaluated(JsonNode value) {
        return switch (value) {
            case TextNode text -> TextNode.valueOf(text.textValue().replace("{{", "{ {"));
            case ObjectNode object -> {
                var plain = Json.object();
                object.properties().forEach(field -> plain.set(field.getKey(), unevaluated(field.getValue())));
                yield plain;
            }
            case ArrayNode array -> {
                var plain = Json.array();
                array.forEach(item -> plain.add(unevaluated(item)));
                yield plain;
            }
            default -> value;
        };
    }

    private Future<Outcome> flow(AgentRun run, AgentTool tool, ToolRequest request, String key) {
        return AgentToolbox.flowOf(
                        bus,
                        run.projectId(),
                        tool.source().path("externalFlowId").asText())
                .compose(found -> found.map(flow -> call(flow, request, key))
                        .orElseGet(() -> Future.succeededFuture(Outcome.refused("The flow no longer exists."))));
    }

    private Future<Outcome> call(Flows.FlowWithVersion flow, ToolRequest request, String key) {
        var waits = AgentToolbox.inputOf(flow).path("returnsResponse").asBoolean(true);
        var variant = waits ? Webhooks.Variant.TOOL_SYNC : Webhooks.Variant.TOOL;
        var payload = Json.object().put("method", "POST");
        payload.putObject("headers").put("content-type", "application/json");
        payload.putObject("queryParams");
        payload.set("body", request.arguments());
        var received = new Webhooks.Received(
                flow.flow().id(),
                variant,
                payload,
                List.of(),
                Runs.Start.ParentRun.none(false),
                new Webhooks.Received.CallMarks(IdempotencyKey.of(key), null, null),
                flowTimeout.toMillis());
        return bus.ask(received, flowTimeout.toMillis()).map(AgentCalls::outcome);
    }

    private static Outcome outcome(Webhooks.Outcome outcome) {
        return switch (outcome) {
            case Webhooks.Outcome.Accepted _ -> Outcome.of(TextNode.valueOf("The flow was started."));
            case Webhooks.Outcome.Answered(var answer) -> answered(answer.status(), answer.body());
            case Webhooks.Outcome.HandshakeAnswered(var answer) -> answered(answer.status(), answer.body());
            case Webhooks.Outcome.Repeated(var _, var first) -> outcome(first);
            case Webhooks.Outcome.RunFailed _ -> Outcome.refused("The flow has failed.");
            case Webhooks.Outcome.NeverAnswers _ -> Outcome.refused("The flow returned no response.");
            case Webhooks.Outcome.Gone _, Webhooks.Outcome.Disabled _ ->
                Outcome.refused("The flow can no longer be run.");
            case Webhooks.Outcome.Unauthorized _ -> Outcome.refused("The flow's trigger did not accept the call.");
        };
    }

    private static Outcome answered(int status, JsonNode body) {
        var output = body == null ? Json.object() : body;
        return status / 100 == 2
                ? Outcome.of(output)
                : new Outcome(
                        Json.object().put("failed", true).put("error", "status " + status + ": " + Json.text(output)),
                        true,
                        status >= 500);
    }

    private Future<Outcome> web(AgentRun run, AgentTool tool, ToolRequest request) {
        var known = WebTool.of(tool.name()).orElseThrow();
        return web.call(
                        run.platformId(),
                        known,
                        request.arguments().path(known.parameter()).asText(""))
                .map(Outcome::of);
    }

    private Future<Outcome> server(AgentTool tool, ToolRequest request, Fence lease) {
        return AgentToolbox.serverOf(outbound.fencedBy(() -> lease), tool.source())
                .call(tool.remoteName(), request.arguments())
                .map(told -> told.failed() ? Outcome.refused(told.text()) : Outcome.of(TextNode.valueOf(told.text())));
    }
}
