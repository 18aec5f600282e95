package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.millrace.base.trace.TraceContext;
import io.millrace.engine.run.IdempotencyKey;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.webhook.Webhooks.Outcome;
import io.millrace.engine.webhook.Webhooks.Variant;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.Subflows;
import io.millrace.piece.builtin.subflow.SubflowsPiece;
import io.millrace.piece.property.Property;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Calls flows of the same project, and answers those that call, in process if both are on this server: the guard refuses the
 * server's own address.
 */
public final class SubflowCalls implements Subflows {
    private static final long DEADLINE_MS = 30_000;
    private static final Pattern WAITPOINT_ADDRESS =
            Pattern.compile("(https?://.*)/api/v1/flow-runs/([0-9a-zA-Z]{21})/waitpoints/([0-9a-zA-Z]{21})");

    private final Bus bus;
    private final RunShards shards;
    private final OutboundHttp outbound;
    private final Supplier<String> callerUrl;

    /** @param callerUrl address of this server, by which its own waitpoints are recognized */
    public SubflowCalls(Bus bus, RunShards shards, OutboundHttp outbound, Supplier<String> callerUrl) {
        this.bus = bus;
        this.shards = shards;
        this.outbound = outbound;
        this.callerUrl = callerUrl;
    }

    @Override
    public Future<JsonNode> call(Call call) {
        return bus.ask(
                        new Flows.Find(
                                enabled(call.projectId(), List.of(call.flowExternalId())),
                                new PageRequest(1, null, false)),
                        DEADLINE_MS)
                .compose(found -> found.data().stream()
                        .findFirst()
                        .map(flow -> deliver(flow.flow().id(), call))
                        .orElseGet(() -> Future.failedFuture(notEnabled(call))));
    }

    /** Requests the largest page: the flows are offered in a drop-down. */
    @Override
    public Future<List<Property.Option>> callable(String projectId) {
        var page = new PageRequest(PageRequest.LIMIT_MAX, null, false);
        return bus.ask(new Flows.Find(enabled(projectId, List.of()), page), DEADLINE_MS)
                .map(found -> found.data().stream()
                        .filter(SubflowCalls::isCallable)
                        .map(flow -> new Property.Option(
                                flow.version().displayName(),
                                TextNode.valueOf(flow.flow().externalId())))
                        .toList());
    }

    private static boolean isCallable(Flows.FlowWithVersion flow) {
        return flow.version().steps().trigger() instanceof PieceTriggerStep trigger
                && trigger.pieceName().orElse("").equals(SubflowsPiece.NAME)
                && trigger.triggerName().orElse("").equals(SubflowsPiece.CALLABLE);
    }

    /** @param externalIds only these; empty for all */
    private static Flows.Filter enabled(String projectId, List<String> externalIds) {
        return new Flows.Filter(
                projectId,
                List.of(FlowStatus.ENABLED),
                Optional.empty(),
                externalIds,
                new Flows.Filter.UsedObjects(List.of(), List.of()),
                List.of(),
                false,
                Flows.VersionChoice.LOCKED);
    }

    private static PieceFailure notEnabled(Call call) {
        return PieceFailure.of("Expected an enabled flow with the external id " + call.flowExternalId()
                + " in this project, found none");
    }

    private Future<JsonNode> deliver(String flowId, Call call) {
        var received = new Webhooks.Received(
                flowId,
                Variant.ASYNC,
                payload(call),
                List.of(),
                new Runs.Start.ParentRun(
                        call.parentRunId(),
                        call.failParentOnFailure(),
                        call.failParentOnFailure() ? call.idempotencyKey() : null),
                new Webhooks.Received.CallMarks(IdempotencyKey.of(call.idempotencyKey()), null, null),
                DEADLINE_MS);
        return bus.ask(received, DEADLINE_MS)
                .recover(SubflowCalls::laterWhenFull)
                .compose(outcome -> isAccepted(outcome)
                        ? Future.succeededFuture(Json.object())
                        : Future.failedFuture(notEnabled(call)));
    }

    /**
     * Maps a full queue to UNAVAILABLE. The caller was accepted, so its step must not fail for lack of capacity: as with an
     * unavailable database, the step is retried under the same key.
     */
    private static <T> Future<T> laterWhenFull(Throwable failure) {
        return Future.failedFuture(
                failure instanceof ApiException refused && refused.code() == ErrorCode.TOO_MANY_REQUESTS
                        ? ApiException.of(ErrorCode.UNAVAILABLE, refused.text())
                        : failure);
    }

    private static boolean isAccepted(Outcome outcome) {
        return outcome instanceof Outcome.Accepted
                || outcome instanceof Outcome.Repeated(var _, var first) && isAccepted(first);
    }

    /** Payload that the webhook would make of the request (contract flows-and-engine 17.3). */
    private static ObjectNode payload(Call call) {
        var payload = Json.object().put("method", "POST");
        var headers = payload.putObject("headers")
                .put("content-type", "application/json")
                .put("ap-parent-run-id", call.parentRunId())
                .put("ap-fail-parent-on-failure", String.valueOf(call.failParentOnFailure()));
        call.traceparent().ifPresent(header -> headers.put(TraceContext.HEADER, header));
        payload.putObject("queryParams");
        payload.set("body", call.body().deepCopy());
        return payload;
    }

    /**
     * Finds a waiting caller by its id, independent of the address: the server may have had another address at the time of the
     * call, or have been another node.
     */
    @Override
    public Future<Void> answer(String callbackUrl, ObjectNode body) {
        var address = WAITPOINT_ADDRESS.matcher(callbackUrl);
        if (!address.matches()) {
            return post(callbackUrl, body);
        }
        var runId = address.group(2);
        var waitpointId = address.group(3);
        var waitsHere = address.group(1).equals(callerUrl.get())
                ? Future.succeededFuture(true)
                : bus.ask(new Waitpoints.Look(runId, new Waitpoints.Target.OfWaitpoint(waitpointId)), DEADLINE_MS)
                        .map(true)
                        .recover(failure -> ApiException.isNotFound(failure)
                                ? Future.succeededFuture(false)
                                : Future.failedFuture(failure));
        return waitsHere.compose(here -> here ? resume(runId, waitpointId, body) : post(callbackUrl, body));
    }

    /** Has no effect if the caller no longer waits. */
    private Future<Void> resume(String runId, String waitpointId, ObjectNode body) {
        var payload = Json.object();
        payload.set("body", body.deepCopy());
        payload.putObject("headers");
        payload.putObject("queryParams");
        var resume = new Waitpoints.Resume(runId, new Waitpoints.Target.OfWaitpoint(waitpointId), payload, false);
        return bus.ask(Waitpoints.addressOf(shards, runId), resume, DEADLINE_MS)
                .recover(SubflowCalls::laterWhenFull)
                .mapEmpty();
    }

    private Future<Void> post(String url, ObjectNode body) {
        OutboundRequest request;
        try {
            request = OutboundRequest.of("POST", WebAddress.parse(url))
                    .withHeaders(Map.of("content-type", "application/json"))
                    .withBody(Buffer.buffer(Json.bytes(body)));
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture(PieceFailure.of("Expected a callback URL, found other text"));
        }
        return outbound.send(request).compose(SubflowCalls::accepted);
    }

    private static Future<Void> accepted(OutboundResponse response) {
        return response.status() < 300
                ? Future.succeededFuture()
                : Future.failedFuture(PieceFailure.of(
                        "Expected the caller to accept the response, found status " + response.status()));
    }
}
