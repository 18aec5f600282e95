package io.millrace.engine.webhook;

import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.trigger.Triggers;
import io.millrace.engine.trigger.Triggers.AppEventOutcome;
import io.millrace.engine.webhook.Webhooks.Variant;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The one public address of each app, any method (contract flows-and-engine 25). */
public final class AppEventRoutes implements RouteGroup {
    private static final long DEADLINE_MS = 30_000;
    private static final Buffer EMPTY_OBJECT = Buffer.buffer("{}");

    private final Bus bus;
    private final Config.Webhooks settings;

    public AppEventRoutes(Bus bus, Config.Webhooks settings) {
        this.bus = bus;
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
                Future.failedFuture(ApiException.of(ErrorCode.ROUTE_NOT_FOUND, "Route not found"));
            case AppEventOutcome.Malformed _ -> done(context, 400);
            case AppEventOutcome.Replied(var answer) -> {
                CallerAnswers.answer(context.response(), answer);
                yield Future.succeededFuture();
            }
            case AppEventOutcome.For(var flowIds) -> deliver(flowIds, read).compose(_ -> done(context, 200));
        };
    }

    /** Answered when every flow has its event durably; an app whose request failed sends it again. */
    private Future<Void> deliver(List<String> flowIds, PayloadReader.Payload read) {
        return Future.join(flowIds.stream()
                        .map(flowId -> bus.ask(
                                new Webhooks.Received(
                                        flowId,
                                        Variant.ASYNC,
                                        read.payload().deepCopy(),
                                        List.of(),
                                        null,
                                        true,
                                        null,
                                        null,
                                        DEADLINE_MS),
                                DEADLINE_MS))
                        .toList())
                .mapEmpty();
    }

    private static Future<Void> done(RoutingContext context, int status) {
        CallerAnswers.json(context.response(), status, EMPTY_OBJECT);
        return Future.succeededFuture();
    }
}
