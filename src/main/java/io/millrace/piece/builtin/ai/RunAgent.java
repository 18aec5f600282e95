package io.millrace.piece.builtin.ai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.AgentRuns;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.Waitpoint;
import io.millrace.piece.builtin.action.Props;
import io.millrace.sandbox.expression.parser.References;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Runs an agent on the server while the flow is paused (contract agents 3.3). */
record RunAgent(AgentRuns agents, InstantSource clock) implements Action {
    static final String NAME = "run_agent";

    private static final int STEPS = 20;

    /** An agent is stopped after two hours; the waitpoint times out a little later (contract agents 3.3). */
    private static final Duration WAITING_MAX = Duration.ofMinutes(125);

    /** Limit for a test, in which the author waits at the screen. */
    private static final Duration WAITING_OF_TEST_MAX = Duration.ofMinutes(15);

    private static final ActionSpec SPEC = ModelProps.spec(
            NAME,
            "Run Agent",
            "Runs an agent with tools until the task is done.",
            Props.of(
                    Props.named(
                            "agentId",
                            Props.shortText("Agent", false).describedAs("The external id of a saved agent.")),
                    Props.named("prompt", Props.longText("Prompt", true)),
                    Props.named("aiProviderModel", Props.object("AI Model", false)),
                    Props.named("agentTools", Props.list("Agent Tools", false)),
                    Props.named("structuredOutput", Props.list("Structured Output", false)),
                    Props.named("maxSteps", Props.number("Max Steps", false).defaultingTo(IntNode.valueOf(STEPS))),
                    Props.named("maxTokens", Props.number("Max Tokens", false)),
                    Props.named(
                            "maxCostUsd",
                            Props.number("Max Cost", false)
                                    .describedAs("US dollars that the run may cost; it ends before its next request.")),
                    Props.named("fallbackModel", Props.object("Fallback Model", false)),
                    Props.named("webSearch", Props.checkbox("Web Search", false)),
                    Props.named("webSearchOptions", Props.object("Web Search Options", false))));

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    /**
     * Tools refer to connections by name; their secrets are loaded only when a tool is called (contract agents 3.3).
     */
    @Override
    public JsonNode asWritten(JsonNode input) {
        JsonNode kept = input.deepCopy();
        for (var tool : kept.path("agentTools")) {
            if (tool.at("/pieceMetadata/predefinedInput") instanceof ObjectNode predefined) {
                References.connectionNames(predefined.path("auth").asText("")).stream()
                        .findFirst()
                        .ifPresent(name -> predefined.put("auth", name));
            }
        }
        return kept;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        return context.resumePayload().isPresent()
                ? result(context.resumePayload().get().path("body"))
                : begin(context);
    }

    /** The waitpoint is created first, because the agent may end before this run has paused. */
    private Future<JsonNode> begin(StepContext context) {
        ModelProps.text(context.props(), "prompt");
        var longest = context.testing() ? WAITING_OF_TEST_MAX : WAITING_MAX;
        return context.createWaitpoint(
                        Waitpoint.Request.callBefore(clock.instant().plus(longest)))
                .compose(waitpoint -> agents.start(new AgentRuns.StepRequest(
                                context.projectId(),
                                context.flowId(),
                                context.runId(),
                                context.stepName(),
                                waitpoint.id(),
                                context.props()))
                        .recover(failure -> Future.failedFuture(
                                failure instanceof ApiException refused && !ApiException.isUnavailable(refused)
                                        ? PieceFailure.of(refused.text())
                                        : failure))
                        .map(_ -> {
                            context.waitFor(waitpoint, Optional.empty());
                            return null;
                        }));
    }

    private static Future<JsonNode> result(JsonNode body) {
        if (!body.isObject()) {
            return Future.failedFuture(PieceFailure.of("The agent returned no result"));
        }
        return body.hasNonNull("failure")
                ? Future.failedFuture(PieceFailure.of(body.path("failure").asText()))
                : Future.succeededFuture(body);
    }
}
