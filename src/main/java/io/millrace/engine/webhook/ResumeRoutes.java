package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.Step;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.WebhookSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.Waitpoints.ResumeResult;
import io.millrace.engine.webhook.Webhooks.Outcome;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Public addresses that resume paused runs (contract flows-and-engine 12.4); a request that only views the page decides nothing
 * (decision 0106).
 */
public final class ResumeRoutes implements RouteGroup {
    private static final String RECORDED = "Your response has been recorded. You can close this page now.";
    private static final String EXPIRED = "This link has been used already or has expired.";
    private static final String EXPIRED_REMEDY =
            "You do not need to do anything. If you expected to decide, ask the sender of the link.";
    private static final String NOT_YET = "The flow has not reached this step yet. Try again in a moment.";
    private static final int NOT_YET_STATUS = 409;

    /** Query parameter with the decision of a link; a link without it is for programs (contract flows-and-engine 19.3). */
    private static final String ACTION = "action";

    private static final Set<HttpMethod> LOOKING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final long DEADLINE_MS = 30_000;

    /** The step is not known before the waitpoint is; files of the call are kept under this name. */
    private static final String FILES_OF = "resume";

    private final Bus bus;
    private final RunShards shards;
    private final WebhookSettings settings;

    /** Made when the routes are. */
    private PayloadReader payloads;

    private final Uploads uploads;
    private final CallerAnswers answers;
    private final long timeoutMs;

    public ResumeRoutes(Bus bus, RunShards shards, WebhookSettings settings) {
        this.bus = bus;
        this.shards = shards;
        this.settings = settings;
        this.uploads = new Uploads(bus);
        this.timeoutMs = settings.timeout().toMillis();
        this.answers = new CallerAnswers(timeoutMs);
    }

    @Override
    public void mount(Routes routes) {
        payloads = new PayloadReader(routes.bodies(), settings);
        var links = routes.withSecret("waitpointId", "requestId");
        links.raw("/v1/flow-runs/:id/waitpoints/:waitpointId", this::resume);
        links.raw("/v1/flow-runs/:id/waitpoints/:waitpointId/sync", this::resumeAndWait);
        links.raw("/v1/flow-runs/:id/waitpoints/:waitpointId/confirm", this::confirm);
        links.raw("/v1/flow-runs/:id/requests/:requestId", this::resume);
        links.raw("/v1/flow-runs/:id/requests/:requestId/sync", this::resumeAndWait);
    }

    private void resume(RoutingContext context) {
        if (isLook(context)) {
            show(context);
        } else {
            decide(context);
        }
    }

    /**
     * Returns true for a request that only views the page, so that a link preview does not decide. The contract lets programs
     * resume by GET: by the address of a waitpoint without a decision in any case, by one with a decision if the client is a
     * program.
     */
    private static boolean isLook(RoutingContext context) {
        var method = context.request().method();
        return LOOKING.contains(method)
                && (!method.equals(HttpMethod.GET) || isDecision(context) && !LinkReader.isProgram(context.request()));
    }

    private static boolean isDecision(RoutingContext context) {
        return isLegacy(context) || context.queryParams().contains(ACTION);
    }

    private void decide(RoutingContext context) {
        signal(context, false, DEADLINE_MS)
                .onSuccess(resumed -> decided(context, resumed))
                .onFailure(failure -> fail(context, failure));
    }

    private void decided(RoutingContext context, ResumeResult resumed) {
        switch (resumed) {
            case ResumeResult.Recorded _, ResumeResult.Answered _ -> confirmed(context, RECORDED);
            case ResumeResult.Stale _, ResumeResult.Over _ -> confirmed(context, EXPIRED);
            case ResumeResult.NotYet(var status) -> notYet(context, status);
        }
    }

    private void resumeAndWait(RoutingContext context) {
        if (isLook(context)) {
            show(context);
            return;
        }
        var arrived = System.nanoTime();
        signal(context, true, timeoutMs)
                .recover(ResumeRoutes::late)
                .onSuccess(resumed -> tell(context, resumed, arrived))
                .onFailure(failure -> fail(context, failure));
    }

    /** Handles a timeout of the caller: the payload is recorded, the answer has not arrived. */
    private static Future<ResumeResult> late(Throwable failure) {
        return Bus.isUnanswered(failure, Waitpoints.Resume.class)
                ? Future.succeededFuture(new ResumeResult.Answered(new Runs.StartResult.Silent("")))
                : Future.failedFuture(failure);
    }

    private void tell(RoutingContext context, ResumeResult resumed, long arrived) {
        switch (resumed) {
            case ResumeResult.Answered(var outcome) -> answers.tell(context.response(), outcome(outcome), arrived);
            case ResumeResult.Recorded _ -> answers.tell(context.response(), new Outcome.Accepted(), arrived);
            case ResumeResult.NotYet(var status) -> notYet(context, status);
            case ResumeResult.Over(var status) -> conflict(context, "The flow run has ended", status);
            case ResumeResult.Stale(var status)
            when isLegacy(context) && status != RunStatus.PAUSED ->
                conflict(context, "The flow run is not paused", status);
            case ResumeResult.Stale _ -> message(context, 410, EXPIRED);
        }
    }

    private static Outcome outcome(Runs.StartResult started) {
        return switch (started) {
            case Runs.StartResult.Answered(var _, var answer) -> new Outcome.Answered(answer);
            case Runs.StartResult.Failed _ -> new Outcome.RunFailed();
            case Runs.StartResult.Repeated(var _, var first) -> outcome(first);
            case Runs.StartResult.Silent _, Runs.StartResult.Accepted _, Runs.StartResult.NoItem _ ->
                new Outcome.NeverAnswers();
        };
    }

    private static boolean isLegacy(RoutingContext context) {
        return context.pathParam("waitpointId") == null;
    }

    private void confirm(RoutingContext context) {
        if (context.request().method().equals(HttpMethod.POST)) {
            decide(context);
        } else {
            show(context);
        }
    }

    private void show(RoutingContext context) {
        look(context)
                .onSuccess(place -> brand(place)
                        .onSuccess(brand -> stepName(place)
                                .onSuccess(step ->
                                        show(context, place, brand, DecisionPage.of(place, brand.project(), step)))))
                .onFailure(failure -> fail(context, failure));
    }

    /** The page is shown also if the name cannot be read. */
    private Future<Optional<String>> stepName(Waitpoints.WaitpointView place) {
        return place.question().isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : bus.ask(new Flows.GetVersion(place.flowVersionId()), DEADLINE_MS)
                        .map(version -> version.steps()
                                .find(place.question().get().stepName())
                                .map(Step::displayName))
                        .otherwise(Optional.empty());
    }

    private static void show(
            RoutingContext context, Waitpoints.WaitpointView place, ConfirmBrand brand, DecisionPage decision) {
        var page = page(context, brand);
        switch (place.stage()) {
            case PENDING -> page.send(context.response(), 200, page.question(context.request(), decision));
            case NOT_YET -> page.send(context.response(), NOT_YET_STATUS, page.note(NOT_YET));
            case OVER -> page.send(context.response(), 200, page.note(EXPIRED, EXPIRED_REMEDY));
        }
    }

    private void confirmed(RoutingContext context, String text) {
        if (LinkReader.wantsPage(context.request())) {
            tellOnPage(context, 200, text);
        } else {
            page(context, ConfirmBrand.USUAL).secure(context.response());
            message(context, 200, text);
        }
    }

    private void tellOnPage(RoutingContext context, int status, String text) {
        look(context)
                .compose(this::brand)
                .otherwise(ConfirmBrand.USUAL)
                .map(brand -> page(context, brand))
                .onSuccess(page -> page.send(context.response(), status, page.note(text)));
    }

    private static ConfirmPage page(RoutingContext context, ConfirmBrand brand) {
        return new ConfirmPage(brand, context.request().path());
    }

    /** The decision is confirmed with the default brand if that of the platform cannot be read. */
    private Future<ConfirmBrand> brand(Waitpoints.WaitpointView place) {
        return ConfirmBrand.of(bus, place.projectId(), DEADLINE_MS).otherwise(ConfirmBrand.USUAL);
    }

    private void notYet(RoutingContext context, RunStatus status) {
        if (LinkReader.wantsPage(context.request())) {
            tellOnPage(context, NOT_YET_STATUS, NOT_YET);
        } else {
            conflict(context, NOT_YET, status);
        }
    }

    private Future<ResumeResult> signal(RoutingContext context, boolean waiting, long waitMs) {
        var runId = context.pathParam("id");
        if (!Ids.isId(runId)) {
            return Future.failedFuture(ApiException.notFound("flow_run", runId));
        }
        return payloads.read(context, () -> look(context))
                .compose(read -> withFiles(context, read))
                .map(ResumeRoutes::resumePayload)
                .compose(payload -> bus.ask(
                        Waitpoints.addressOf(shards, runId),
                        new Waitpoints.Resume(runId, target(context), payload, waiting),
                        waitMs));
    }

    private Future<ObjectNode> withFiles(RoutingContext context, PayloadReader.Payload read) {
        return read.uploads().isEmpty()
                ? Future.succeededFuture(read.payload())
                : look(context)
                        .compose(place -> uploads.keep(
                                read.payload(),
                                read.uploads(),
                                new Uploads.Owner(place.projectId(), place.flowId(), FILES_OF),
                                DEADLINE_MS));
    }

    private Future<Waitpoints.WaitpointView> look(RoutingContext context) {
        return bus.ask(new Waitpoints.Look(context.pathParam("id"), target(context)), DEADLINE_MS);
    }

    private static Waitpoints.Target target(RoutingContext context) {
        return isLegacy(context)
                ? new Waitpoints.Target.OfRequest(context.pathParam("requestId"))
                : new Waitpoints.Target.OfWaitpoint(context.pathParam("waitpointId"));
    }

    private static ObjectNode resumePayload(ObjectNode received) {
        return received.retain(List.of("body", "headers", "queryParams"));
    }

    private static void conflict(RoutingContext context, String message, RunStatus status) {
        send(context, 409, Json.object().put("message", message).put("flowRunStatus", status.name()));
    }

    private static void message(RoutingContext context, int status, String text) {
        send(context, status, Json.object().put("message", text));
    }

    private static void send(RoutingContext context, int status, ObjectNode body) {
        if (!context.response().ended() && !context.response().closed()) {
            CallerAnswers.json(context.response(), status, Buffer.buffer(Json.bytes(body)));
        }
    }

    private static void fail(RoutingContext context, Throwable failure) {
        if (LinkReader.wantsPage(context.request()) && ApiException.isNotFound(failure)) {
            ConfirmPage.showUnknownLink(context.request());
            return;
        }
        CallerAnswers.fail(context.response(), Routes.requestId(context), failure);
    }
}
