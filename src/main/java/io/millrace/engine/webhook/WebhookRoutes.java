package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.WebhookSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.metrics.MeterSet;
import io.millrace.engine.run.IdempotencyKey;
import io.millrace.engine.run.RequestIds;
import io.millrace.engine.webhook.Webhooks.Outcome;
import io.millrace.engine.webhook.Webhooks.Variant;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** Public webhook routes, any method (contract flows-and-engine 17). */
public final class WebhookRoutes implements RouteGroup {
    private static final long INTAKE_DEADLINE_MS = 30_000;

    private static final CharSequence RAW_PAYLOAD = HttpHeaders.createOptimized("ap-raw-payload");

    private static final CharSequence PARENT_RUN_ID = HttpHeaders.createOptimized("ap-parent-run-id");
    private static final CharSequence FAIL_PARENT = HttpHeaders.createOptimized("ap-fail-parent-on-failure");
    private static final CharSequence CALL_ID = HttpHeaders.createOptimized("x-webhook-id");

    private final Bus bus;
    private final WebhookSettings settings;
    private final CallerAnswers answers;
    private final WebhookDryRuns dryRuns;
    private final WebhookMeters meters;
    private final CallingRuns callingRuns;
    private final long timeoutMs;

    public WebhookRoutes(Bus bus, WebhookSettings settings, RequestIds requestIds, MeterSet meters) {
        this.bus = bus;
        this.settings = settings;
        this.timeoutMs = settings.timeout().toMillis();
        this.meters = new WebhookMeters(meters);
        this.answers = new CallerAnswers(timeoutMs);
        this.callingRuns = new CallingRuns(requestIds);
        this.dryRuns = new WebhookDryRuns(bus);
    }

    @Override
    public void mount(Routes routes) {
        var payloads = new PayloadReader(routes.bodies(), settings);
        // Routes are tried in their order: the synchronous one is registered first.
        routes.raw("/v1/webhooks/:flowId/sync", context -> receive(context, routes, payloads, Variant.SYNC));
        routes.raw("/v1/webhooks/:flowId", context -> receive(context, routes, payloads, Variant.ASYNC));
        routes.raw("/v1/webhooks/:flowId/draft", context -> receive(context, routes, payloads, Variant.DRAFT));
        routes.raw(
                "/v1/webhooks/:flowId/draft/sync", context -> receive(context, routes, payloads, Variant.DRAFT_SYNC));
        routes.raw("/v1/webhooks/:flowId/test", context -> receive(context, routes, payloads, Variant.TEST));
    }

    private void receive(RoutingContext context, Routes routes, PayloadReader payloads, Variant variant) {
        var arrived = System.nanoTime();
        var flowId = context.pathParam("flowId");
        context.response().putHeader(CALL_ID, Routes.requestId(context));
        if (!Ids.isId(flowId)) {
            fail(
                    context,
                    ApiException.of(
                            ErrorCode.INVALID_INPUT,
                            "params/flowId Invalid string: must match pattern /" + Ids.PATTERN.pattern() + "/"));
            return;
        }
        if (WebhookDryRuns.isAsked(context.request(), variant)) {
            rehearse(context, routes, payloads, flowId, variant)
                    .onSuccess(effects -> ApiReply.ok(effects).sendTo(context))
                    .onFailure(failure -> fail(context, failure));
            return;
        }
        payloads.read(context, () -> taken(flowId, variant))
                .compose(payload -> hand(context, flowId, variant, payload))
                .recover(failure -> outcomeOf(failure, flowId, variant))
                .onComplete(done -> {
                    if (done.succeeded()) {
                        answers.tell(context.response(), done.result(), arrived);
                    } else {
                        fail(context, done.cause());
                    }
                    meters.answered(variant, context.response().getStatusCode(), System.nanoTime() - arrived);
                });
    }

    /** The caller of a dry run is checked before a large body is read. */
    private Future<ObjectNode> rehearse(
            RoutingContext context, Routes routes, PayloadReader payloads, String flowId, Variant variant) {
        return Future.succeededFuture().compose(_ -> {
            WebhookDryRuns.checkValue(context.request());
            var admitted = routes.admitted(context, WebhookDryRuns.ACCESS);
            return payloads.read(context, () -> admitted)
                    .compose(read -> admitted.compose(call -> dryRuns.rehearse(call, flowId, variant, read)));
        });
    }

    private Future<Outcome> hand(RoutingContext context, String flowId, Variant variant, PayloadReader.Payload read) {
        var headers = context.request().headers();
        var waitMs = variant.isWaiting() ? timeoutMs : INTAKE_DEADLINE_MS;
        var received = new Webhooks.Received(
                flowId,
                variant,
                unwrapped(headers.get(RAW_PAYLOAD), headers.get(HttpHeaders.AUTHORIZATION), read.payload()),
                read.uploads(),
                callingRuns.of(
                        parentRunId(headers.get(PARENT_RUN_ID)),
                        failsParent(headers.get(FAIL_PARENT)),
                        read.payload().path("body")),
                new Webhooks.Received.CallMarks(IdempotencyKey.in(headers), Routes.requestId(context), null),
                waitMs);
        return bus.ask(received, waitMs);
    }

    /** Returns true unless the header has another value than {@code true} (contract flows-and-engine 5.1, 17.5). */
    private static boolean failsParent(String header) {
        return header == null || header.equals("true");
    }

    private static String parentRunId(String header) {
        return header != null && Ids.isId(header) ? header : null;
    }

    /** An internal caller may pass the payload directly (contract flows-and-engine 17.5). */
    private static ObjectNode unwrapped(String rawPayload, String authorization, ObjectNode payload) {
        return "true".equals(rawPayload) && authorization != null && payload.get("body") instanceof ObjectNode body
                ? body
                : payload;
    }

    /** Checks that a call of the flow would be accepted, before a large payload is read. */
    private Future<Outcome> taken(String flowId, Variant variant) {
        return bus.ask(new Webhooks.Look(flowId, variant), INTAKE_DEADLINE_MS)
                .recover(failure -> Future.failedFuture(ApiException.withoutEffect(failure)))
                .compose(outcome -> outcome instanceof Outcome.Accepted
                        ? Future.succeededFuture(outcome)
                        : Future.failedFuture(new NotTaken(outcome)));
    }

    /**
     * Maps a failure to the response. A synchronous caller whose deadline has passed gets a different answer than an event that
     * was not accepted in time. A missing or disabled flow takes precedence over an excessive payload (17.2).
     */
    private Future<Outcome> outcomeOf(Throwable failure, String flowId, Variant variant) {
        if (failure instanceof NotTaken notTaken) {
            return Future.succeededFuture(notTaken.outcome);
        }
        if (variant.isWaiting() && Bus.isUnanswered(failure, Webhooks.Received.class)) {
            return Future.succeededFuture(new Outcome.NeverAnswers());
        }
        return failure instanceof ApiException refused && refused.code() == ErrorCode.BODY_TOO_LARGE
                ? bus.ask(new Webhooks.Look(flowId, variant), INTAKE_DEADLINE_MS)
                        .compose(outcome -> outcome instanceof Outcome.Accepted
                                ? Future.failedFuture(failure)
                                : Future.succeededFuture(outcome))
                : Future.failedFuture(failure);
    }

    /** Thrown instead of reading a large payload when the flow does not accept the call. */
    private static final class NotTaken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Outcome outcome;

        NotTaken(Outcome outcome) {
            super("the flow does not accept calls", null, false, false);
            this.outcome = outcome;
        }
    }

    private static void fail(RoutingContext context, Throwable failure) {
        CallerAnswers.fail(context.response(), Routes.requestId(context), failure);
    }
}
