package io.millrace.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Bus;
import io.millrace.config.Config;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import io.millrace.http.ErrorRenderer;
import io.millrace.http.HttpModule;
import io.millrace.http.Routes;
import io.millrace.piece.HttpAnswer;
import io.millrace.webhook.Webhooks.Outcome;
import io.millrace.webhook.Webhooks.Variant;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Set;

/** Public webhook routes, any method (contract flows-and-engine 17). */
public final class WebhookRoutes implements HttpModule {
    /** The constant text of the seed (Events). */
    static final String RUN_FAILED = "The flow has failed and there is no response returned";

    private static final long INTAKE_DEADLINE_MS = 30_000;
    private static final String RETRY_AFTER_SECONDS = "1";

    /** Longest time that a refused body may go on arriving; what arrives is dropped. */
    private static final long LINGER_MS = 2_000;

    /** Headers that belong to the connection, not to the answer. */
    private static final Set<String> CONNECTION_HEADERS =
            Set.of("connection", "content-length", "keep-alive", "transfer-encoding", "upgrade");

    private static final Buffer EMPTY_OBJECT = Buffer.buffer("{}");

    private final Bus bus;
    private final PayloadReader payloads;
    private final long timeoutMs;

    public WebhookRoutes(Bus bus, Config.Webhooks settings) {
        this.bus = bus;
        this.payloads = new PayloadReader(settings.payloadBytesMax());
        this.timeoutMs = settings.timeout().toMillis();
    }

    @Override
    public void mount(Routes routes) {
        routes.raw("/v1/webhooks/:flowId", context -> receive(context, Variant.ASYNC));
        routes.raw("/v1/webhooks/:flowId/sync", context -> receive(context, Variant.SYNC));
        routes.raw("/v1/webhooks/:flowId/draft", context -> receive(context, Variant.DRAFT));
        routes.raw("/v1/webhooks/:flowId/draft/sync", context -> receive(context, Variant.DRAFT_SYNC));
        routes.raw("/v1/webhooks/:flowId/test", context -> receive(context, Variant.TEST));
    }

    private void receive(RoutingContext context, Variant variant) {
        var arrived = System.nanoTime();
        var flowId = context.pathParam("flowId");
        context.response().putHeader("x-webhook-id", Routes.requestId(context));
        if (!Ids.isId(flowId)) {
            fail(
                    context,
                    ApiException.of(
                            ErrorCode.INVALID_INPUT,
                            "params/flowId Invalid string: must match pattern /" + Ids.PATTERN.pattern() + "/"));
            return;
        }
        payloads.read(context.request())
                .compose(payload -> hand(context, flowId, variant, payload))
                .recover(failure -> tooLargeUnlessRefused(context, failure, flowId, variant))
                .onSuccess(outcome -> tell(context, outcome, arrived))
                .onFailure(failure -> fail(context, failure));
    }

    private Future<Outcome> hand(RoutingContext context, String flowId, Variant variant, PayloadReader.Payload read) {
        var headers = context.request().headers();
        var waitMs = variant.isWaiting() ? timeoutMs : INTAKE_DEADLINE_MS;
        var received = new Webhooks.Received(
                flowId,
                variant,
                unwrapped(headers.get("ap-raw-payload"), headers.get("authorization"), read.payload()),
                read.uploads(),
                parentRunId(headers.get("ap-parent-run-id")),
                failsParent(headers.get("ap-fail-parent-on-failure")),
                waitMs);
        return bus.ask(received, waitMs).recover(failure -> late(failure, variant));
    }

    /** True unless the caller says otherwise (contract flows-and-engine 5.1, 17.5). */
    private static boolean failsParent(String header) {
        return header == null || header.equals("true");
    }

    /** What is no id names no run. */
    private static String parentRunId(String header) {
        return header != null && Ids.isId(header) ? header : null;
    }

    /** An internal caller may hand over the payload itself (contract flows-and-engine 17.5). */
    private static ObjectNode unwrapped(String rawPayload, String authorization, ObjectNode payload) {
        return "true".equals(rawPayload) && authorization != null && payload.get("body") instanceof ObjectNode body
                ? body
                : payload;
    }

    /** A caller that waited as long as it may is told so; an event that was not accepted in time is not. */
    private static Future<Outcome> late(Throwable failure, Variant variant) {
        return variant.isWaiting() && Bus.isUnanswered(failure, Webhooks.Received.class)
                ? Future.succeededFuture(new Outcome.NeverAnswers())
                : Future.failedFuture(failure);
    }

    /** Whether the flow exists and is enabled is told before the size of the payload (17.2). */
    private Future<Outcome> tooLargeUnlessRefused(
            RoutingContext context, Throwable failure, String flowId, Variant variant) {
        if (failure instanceof ApiException refused && refused.code() == ErrorCode.BODY_TOO_LARGE) {
            hangUpAfterwards(context);
            return bus.ask(new Webhooks.Look(flowId, variant), INTAKE_DEADLINE_MS)
                    .compose(outcome -> outcome instanceof Outcome.Accepted
                            ? Future.failedFuture(failure)
                            : Future.succeededFuture(outcome));
        }
        return Future.failedFuture(failure);
    }

    /**
     * Ends the connection some time after the answer: a caller that is still sending would never read an answer that
     * came together with the end, and one that never stops must not keep the connection.
     */
    private static void hangUpAfterwards(RoutingContext context) {
        var connection = context.request().connection();
        context.response().putHeader("Connection", "close");
        context.addEndHandler(_ -> context.vertx().setTimer(LINGER_MS, _ -> connection.close()));
    }

    private void tell(RoutingContext context, Outcome outcome, long arrived) {
        var response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        switch (outcome) {
            case Outcome.Accepted _ -> json(response, 200, EMPTY_OBJECT);
            case Outcome.Answered(var answer) -> answer(response, answer);
            case Outcome.RunFailed _ ->
                json(response, 500, Buffer.buffer(Json.bytes(Json.object().put("message", RUN_FAILED))));
            case Outcome.NeverAnswers _ -> timeOut(context, arrived);
            case Outcome.Gone _ -> json(response, 410, EMPTY_OBJECT);
            case Outcome.Disabled _ -> json(response, 404, EMPTY_OBJECT);
            case Outcome.Unauthorized _ -> json(response, 401, EMPTY_OBJECT);
        }
    }

    /** 408 after the full timeout, never before (seed, Events). */
    private void timeOut(RoutingContext context, long arrived) {
        var leftMs = timeoutMs - (System.nanoTime() - arrived) / 1_000_000;
        if (leftMs <= 0) {
            json(context.response(), 408, EMPTY_OBJECT);
            return;
        }
        var timer = context.vertx().setTimer(leftMs, _ -> {
            if (!context.response().closed()) {
                json(context.response(), 408, EMPTY_OBJECT);
            }
        });
        context.addEndHandler(_ -> context.vertx().cancelTimer(timer));
    }

    private static void answer(HttpServerResponse response, HttpAnswer answer) {
        response.setStatusCode(answer.status());
        answer.headers().forEach((name, value) -> {
            if (isSafe(name, value)) {
                response.putHeader(name, value);
            }
        });
        if (answer.status() == 204 || answer.status() == 304) {
            response.end();
            return;
        }
        var body = answer.body() == null ? Json.object() : answer.body();
        if (!response.headers().contains("Content-Type")) {
            response.putHeader("Content-Type", contentType(body));
        }
        response.end(bytes(body));
    }

    private static String contentType(JsonNode body) {
        return body.isTextual() ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
    }

    private static Buffer bytes(JsonNode body) {
        return body.isTextual() ? Buffer.buffer(body.textValue()) : Buffer.buffer(Json.bytes(body));
    }

    /** A header that would break the answer, or speak for the connection, is left out. */
    private static boolean isSafe(String name, String value) {
        return !name.isEmpty()
                && name.chars().allMatch(c -> c > 0x20 && c < 0x7f && "()<>@,;:\\\"/[]?={}".indexOf(c) < 0)
                && !CONNECTION_HEADERS.contains(name.toLowerCase(Locale.ROOT))
                && value.chars().allMatch(c -> c == '\t' || c >= 0x20 && c != 0x7f);
    }

    private static void json(HttpServerResponse response, int status, Buffer body) {
        response.setStatusCode(status)
                .putHeader("Content-Type", "application/json; charset=utf-8")
                .end(body);
    }

    private static void fail(RoutingContext context, Throwable failure) {
        if (context.response().ended() || context.response().closed()) {
            return;
        }
        var refusal = ErrorRenderer.refusalOf(failure, Routes.requestId(context));
        switch (refusal.code()) {
            case BODY_TOO_LARGE ->
                json(
                        context.response(),
                        413,
                        Buffer.buffer(Json.bytes(Json.object().put("message", "Request Too Long"))));
            case TOO_MANY_REQUESTS, UNAVAILABLE -> {
                context.response().putHeader("Retry-After", RETRY_AFTER_SECONDS);
                Routes.send(context, ErrorRenderer.render(refusal));
            }
            default -> Routes.send(context, ErrorRenderer.render(refusal));
        }
    }
}
