package io.millrace.engine.webhook;

import io.millrace.base.bus.Bus;
import io.millrace.base.config.WebhookSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.IdempotencyKey;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.trigger.Triggers;
import io.millrace.engine.trigger.Triggers.AppEventOutcome;
import io.millrace.engine.webhook.Webhooks.Variant;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Supplier;

/** The one public address of each app, any method (contract flows-and-engine 25, agents 8). */
public final class AppEventRoutes implements RouteGroup {
    private static final long DEADLINE_MS = 30_000;
    private static final Buffer EMPTY_OBJECT = Buffer.buffer("{}");

    private final Bus bus;
    private final RunShards shards;
    private final Supplier<String> publicUrl;
    private final WebhookSettings settings;

    public AppEventRoutes(Bus bus, RunShards shards, Supplier<String> publicUrl, WebhookSettings settings) {
        this.bus = bus;
        this.shards = shards;
        this.publicUrl = publicUrl;
        this.settings = settings;
    }

    @Override
    public void mount(Routes routes) {
        var payloads = new PayloadReader(routes.bodies(), settings);
        routes.raw("/v1/app-events/:pieceUrl", context -> receive(context, payloads));
    }

    private void receive(RoutingContext context, PayloadReader payloads) {
        var app = context.pathParam("pieceUrl");
        payloads.read(context, Future::succeededFuture)
                .compose(read -> bus.ask(new Triggers.AppEvent(app, read.payload()), DEADLINE_MS)
                        .compose(outcome -> tell(context, outcome, read)))
                .onFailure(failure -> CallerAnswers.fail(context.response(), Routes.requestId(context), failure));
    }

    private Future<Void> tell(RoutingContext context, AppEventOutcome outcome, PayloadReader.Payload read) {
        return switch (outcome) {
            case AppEventOutcome.Unknown _ ->
                Future.failedFuture(ApiException.notFound("piece", context.pathParam("pieceUrl")));
            case AppEventOutcome.Malformed _ -> done(context, 400);
            case AppEventOutcome.Dropped _ -> done(context, 200);
            case AppEventOutcome.Replied(var answer) -> {
                CallerAnswers.answer(context.response(), answer);
                yield Future.succeededFuture();
            }
            case AppEventOutcome.Pressed pressed -> resume(pressed).compose(_ -> done(context, 200));
            case AppEventOutcome.For accepted -> deliver(accepted, read).compose(_ -> done(context, 200));
        };
    }

    /** Answered when every flow has its event durably; an app whose request failed sends it again. */
    private Future<Void> deliver(AppEventOutcome.For accepted, PayloadReader.Payload read) {
        var key = accepted.deliveryKey().map(IdempotencyKey::of).orElse(null);
        return Future.join(accepted.flows().stream()
                        .map(flow -> bus.ask(received(flow, read, key), DEADLINE_MS))
                        .toList())
                .mapEmpty();
    }

    private static Webhooks.Received received(Triggers.Hearing flow, PayloadReader.Payload read, String key) {
        return new Webhooks.Received(
                flow.flowId(),
                flow.sampling() ? Variant.TEST : Variant.ASYNC,
                read.payload().deepCopy(),
                read.uploads(),
                Runs.Start.ParentRun.none(true),
                new Webhooks.Received.CallMarks(key, null, null),
                DEADLINE_MS);
    }

    /** A button of a resumed or unknown run has no effect. */
    private Future<Void> resume(AppEventOutcome.Pressed pressed) {
        return ResumeAddress.read(pressed.resumeUrl(), publicUrl.get())
                .map(address -> {
                    var payload = Json.object();
                    payload.set("body", pressed.payload());
                    payload.putObject("headers");
                    payload.set("queryParams", address.query());
                    return bus.ask(
                                    Waitpoints.addressOf(shards, address.runId()),
                                    new Waitpoints.Resume(address.runId(), address.target(), payload, false),
                                    DEADLINE_MS)
                            .<Void>mapEmpty()
                            .recover(failure -> ApiException.isNotFound(failure)
                                    ? Future.succeededFuture()
                                    : Future.failedFuture(failure));
                })
                .orElseGet(Future::succeededFuture);
    }

    private static Future<Void> done(RoutingContext context, int status) {
        CallerAnswers.json(context.response(), status, EMPTY_OBJECT);
        return Future.succeededFuture();
    }
}
