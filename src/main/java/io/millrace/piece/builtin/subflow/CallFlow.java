package io.millrace.piece.builtin.subflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.Subflows;
import io.millrace.piece.Waitpoint;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.input.ScriptValues;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls another flow, and optionally waits for its response (contract flows-and-engine 14.1). */
final class CallFlow implements Action {
    static final String NAME = "callFlow";
    static final String FLOW = "flowId";
    private static final String OLD_FLOW = "flow";

    private static final ActionSpec SPEC = new ActionSpec(
            NAME,
            "Call Flow",
            "Calls a flow with the trigger Callable Flow.",
            Props.of(
                    Props.named(
                            FLOW,
                            Property.of(PropertyType.DROPDOWN, "Flow", true)
                                    .describedAs("The external id of the flow to call. It must be enabled.")),
                    SubflowsPiece.MODE,
                    Props.named(
                            "flowProps",
                            Property.of(PropertyType.DYNAMIC, "Payload", true)
                                    .refreshedBy(List.of("mode"), CallFlow::fieldsFor)),
                    Props.named(
                            "waitForResponse",
                            Props.checkbox("Wait for Response", false)
                                    .describedAs("Waits until the flow returns a response, or fails.")
                                    .defaultingTo(BooleanNode.FALSE))),
            false,
            true,
            false);

    private final Subflows subflows;

    CallFlow(Subflows subflows) {
        this.subflows = subflows;
    }

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    /** Earlier versions store the flow in the input {@code flow}, with sample data (contract flows-and-engine 14.1). */
    @Override
    public ObjectNode underCurrentNames(ObjectNode input) {
        if (input.hasNonNull(FLOW) || !input.hasNonNull(OLD_FLOW)) {
            return input;
        }
        var current = input.deepCopy();
        current.remove(OLD_FLOW);
        flowExternalId(input).ifPresent(externalId -> current.put(FLOW, externalId));
        return current;
    }

    private static Map<String, Property> fieldsFor(ObjectNode input) {
        return Map.of("payload", SubflowsPiece.valueFor(input, "Payload"));
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        if (context.resumePayload().isPresent()) {
            return returned(context.resumePayload().get().path("body"));
        }
        var externalId = flowExternalId(context.props());
        if (externalId.isEmpty()) {
            return Future.failedFuture(PieceFailure.of("Expected a flow to call, found none"));
        }
        var body = Json.object();
        body.set("data", payload(context.props()));
        return context.props().path("waitForResponse").asBoolean(false)
                ? callAndWait(context, externalId.get(), body)
                : subflows.call(callOf(context, externalId.get(), false, context.idempotencyKey(), body));
    }

    /**
     * The waitpoint is created first, because the called flow may answer before this run has paused. It also identifies
     * the call: a step repeated after a crash finds the call of its first attempt, and a retried run makes a new one.
     */
    private Future<JsonNode> callAndWait(StepContext context, String externalId, ObjectNode body) {
        return context.createWaitpoint(Waitpoint.Request.call())
                .compose(waitpoint -> subflows.call(callOf(
                                context,
                                externalId,
                                true,
                                waitpoint.id(),
                                body.put("callbackUrl", waitpoint.resumeUrl())))
                        .map(_ -> {
                            context.waitFor(waitpoint, Optional.empty());
                            return null;
                        }));
    }

    private static Subflows.Call callOf(
            StepContext context, String externalId, boolean waits, String key, ObjectNode body) {
        return new Subflows.Call(
                context.projectId(), externalId, context.runId(), waits, key, context.traceparent(), body);
    }

    /** A text, or an object that older versions kept. */
    private static Optional<String> flowExternalId(ObjectNode props) {
        var given = props.hasNonNull(FLOW) ? props.get(FLOW) : props.path(OLD_FLOW);
        var externalId = given.isObject() ? given.path("externalId") : given;
        return Optional.of(externalId.asText("")).filter(text -> !text.isBlank());
    }

    private static JsonNode payload(ObjectNode props) {
        var payload = props.path("flowProps").path("payload");
        return payload.isMissingNode() ? NullNode.instance : payload;
    }

    private static Future<JsonNode> returned(JsonNode body) {
        if (body.path("status").asText().equals("error")) {
            var data = body.path("data");
            return Future.failedFuture(
                    PieceFailure.of(data.isMissingNode() ? "The subflow failed" : ScriptValues.text(data)));
        }
        var output = Json.object();
        output.set("status", body.path("status").isMissingNode() ? NullNode.instance : body.path("status"));
        output.set("data", body.path("data").isMissingNode() ? NullNode.instance : body.path("data"));
        return Future.succeededFuture(output);
    }
}
