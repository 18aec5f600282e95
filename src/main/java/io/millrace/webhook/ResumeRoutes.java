package io.millrace.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Bus;
import io.millrace.config.Config;
import io.millrace.core.ApiException;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import io.millrace.http.HttpModule;
import io.millrace.http.Routes;
import io.millrace.run.RunShards;
import io.millrace.run.RunStatus;
import io.millrace.run.Runs;
import io.millrace.run.Waitpoints;
import io.millrace.run.Waitpoints.Resumed;
import io.millrace.webhook.Webhooks.Outcome;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/** Public addresses that resume paused runs, any method (contract flows-and-engine 12.4). */
public final class ResumeRoutes implements HttpModule {
    private static final String RECORDED = "Your response has been recorded. You can close this page now.";
    private static final String EXPIRED = "This link has been used already or has expired.";
    private static final long DEADLINE_MS = 30_000;

    /** The step is not known before the waitpoint is; files of the call are kept under this name. */
    private static final String FILES_OF = "resume";

    private final Bus bus;
    private final RunShards shards;
    private final Config.Webhooks settings;

    /** Made when the routes are. */
    private PayloadReader payloads;

    private final Uploads uploads;
    private final CallerAnswers answers;
    private final ConfirmPage page = new ConfirmPage();
    private final long timeoutMs;

    public ResumeRoutes(Bus bus, RunShards shards, Config.Webhooks settings) {
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
        routes.raw("/v1/flow-runs/:id/waitpoints/:waitpointId", this::resume);
        routes.raw("/v1/flow-runs/:id/waitpoints/:waitpointId/sync", this::resumeAndWait);
        routes.raw("/v1/flow-runs/:id/waitpoints/:waitpointId/confirm", this::confirm);
        routes.raw("/v1/flow-runs/:id/requests/:requestId", this::resume);
        routes.raw("/v1/flow-runs/:id/requests/:requestId/sync", this::resumeAndWait);
    }

    private void resume(RoutingContext context) {
        signal(context, false, DEADLINE_MS)
                .onSuccess(resumed -> message(context, 200, isRecorded(resumed) ? RECORDED : EXPIRED))
                .onFailure(failure -> fail(context, failure));
    }

    private static boolean isRecorded(Resumed resumed) {
        return switch (resumed) {
            case Resumed.Recorded _, Resumed.Told _ -> true;
            case Resumed.Stale _, Resumed.Over _ -> false;
        };
    }

    private void resumeAndWait(RoutingContext context) {
        var arrived = System.nanoTime();
        signal(context, true, timeoutMs)
                .recover(ResumeRoutes::late)
                .onSuccess(resumed -> tell(context, resumed, arrived))
                .onFailure(failure -> fail(context, failure));
    }

    /** A caller that waited as long as it may: the payload is recorded, the answer did not come. */
    private static Future<Resumed> late(Throwable failure) {
        return Bus.isUnanswered(failure, Waitpoints.Resume.class)
                ? Future.succeededFuture(new Resumed.Told(new Runs.Started.Silent("")))
                : Future.failedFuture(failure);
    }

    private void tell(RoutingContext context, Resumed resumed, long arrived) {
        switch (resumed) {
            case Resumed.Told(var outcome) -> answers.tell(context.response(), outcome(outcome), arrived);
            case Resumed.Recorded _ -> answers.tell(context.response(), new Outcome.Accepted(), arrived);
            case Resumed.Over(var status) -> conflict(context, "The flow run has ended", status);
            case Resumed.Stale(var status)
            when isLegacy(context) && status != RunStatus.PAUSED ->
                conflict(context, "The flow run is not paused", status);
            case Resumed.Stale _ -> message(context, 410, EXPIRED);
        }
    }

    private static Outcome outcome(Runs.Started started) {
        return switch (started) {
            case Runs.Started.Answered(var _, var answer) -> new Outcome.Answered(answer);
            case Runs.Started.Failed _ -> new Outcome.RunFailed();
            case Runs.Started.Repeated(var _, var first) -> outcome(first);
            case Runs.Started.Silent _, Runs.Started.Accepted _, Runs.Started.NoItem _ -> new Outcome.NeverAnswers();
        };
    }

    private static boolean isLegacy(RoutingContext context) {
        return context.pathParam("waitpointId") == null;
    }

    /** Looking changes nothing, so that whoever previews a link does not decide; the buttons post. */
    private void confirm(RoutingContext context) {
        if (context.request().method().equals(HttpMethod.POST)) {
            signal(context, false, DEADLINE_MS)
                    .onSuccess(resumed -> confirmed(context, isRecorded(resumed) ? RECORDED : EXPIRED))
                    .onFailure(failure -> fail(context, failure));
        } else {
            look(context)
                    .onSuccess(place -> page.send(
                            context.response(),
                            place.pending() ? page.question(context.request()) : page.note(EXPIRED)))
                    .onFailure(failure -> fail(context, failure));
        }
    }

    private void confirmed(RoutingContext context, String text) {
        var accept = context.request().getHeader("Accept");
        if (accept != null && accept.contains("text/html")) {
            page.send(context.response(), page.note(text));
        } else {
            page.secure(context.response());
            message(context, 200, text);
        }
    }

    /** Completes the waitpoint that the path names with what the call says. */
    private Future<Resumed> signal(RoutingContext context, boolean waiting, long waitMs) {
        var runId = context.pathParam("id");
        if (!Ids.isId(runId)) {
            return Future.failedFuture(ApiException.notFound("flow_run", runId));
        }
        return payloads.read(context, () -> look(context))
                .compose(read -> withFiles(context, read))
                .map(ResumeRoutes::resumePayload)
                .compose(payload -> bus.ask(
                        Waitpoints.deskOf(shards, runId),
                        new Waitpoints.Resume(runId, waitpointId(context), payload, waiting),
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

    private Future<Waitpoints.Place> look(RoutingContext context) {
        return bus.ask(new Waitpoints.Look(context.pathParam("id"), waitpointId(context)), DEADLINE_MS);
    }

    private static Optional<String> waitpointId(RoutingContext context) {
        return Optional.ofNullable(context.pathParam("waitpointId"));
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
        CallerAnswers.fail(context.response(), Routes.requestId(context), failure);
    }
}
