package io.millrace.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.bus.Bus;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Json;
import io.millrace.file.Files;
import io.millrace.flow.Flows;
import io.millrace.project.Projects;
import io.millrace.run.Environment;
import io.millrace.run.RunShards;
import io.millrace.run.Runs;
import io.millrace.webhook.Webhooks.Outcome;
import io.millrace.webhook.Webhooks.Upload;
import io.millrace.webhook.Webhooks.Variant;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Webhook intake: which flow, which version, may it run; then the run's shard. What it knows of flows is kept in memory
 * and forgotten when the flow changes.
 */
public final class WebhookVerticle extends VerticleBase {
    private static final int TARGETS_KEPT_MAX = 10_000;
    private static final long LOOK_UP_DEADLINE_MS = 10_000;

    /** The caller's wait ends first, so that it is told of its own deadline and not of one behind it. */
    private static final long ALLOWANCE_MS = 1_000;

    private final Bus bus;
    private final RunShards shards;
    private final Map<String, Future<Flows.Target>> targets = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Future<Flows.Target>> eldest) {
            return size() > TARGETS_KEPT_MAX;
        }
    };

    public WebhookVerticle(Bus bus, RunShards shards) {
        this.bus = bus;
        this.shards = shards;
    }

    @Override
    public Future<?> start() {
        bus.serve(Webhooks.Received.class, this::receive);
        bus.serve(Webhooks.Look.class, this::look);
        bus.on(Flows.Changed.class, changed -> targets.remove(changed.flowId()));
        bus.on(Projects.Deleted.class, _ -> targets.clear());
        return Future.succeededFuture();
    }

    private Future<Outcome> look(Webhooks.Look look) {
        return target(look.flowId())
                .<Outcome>map(
                        target -> isOpen(target, look.variant()) ? new Outcome.Accepted() : new Outcome.Disabled())
                .recover(WebhookVerticle::goneWhenUnknown);
    }

    private Future<Outcome> receive(Webhooks.Received call) {
        return target(call.flowId())
                .compose(target -> isOpen(target, call.variant())
                        ? withFiles(call, target).compose(payload -> deliver(call, target, payload))
                        : Future.succeededFuture(new Outcome.Disabled()))
                .recover(WebhookVerticle::goneWhenUnknown);
    }

    private static boolean isOpen(Flows.Target target, Variant variant) {
        return variant.isDraft() || target.enabled();
    }

    private static Future<Outcome> goneWhenUnknown(Throwable failure) {
        return failure instanceof ApiException refused && refused.code() == ErrorCode.ENTITY_NOT_FOUND
                ? Future.succeededFuture(new Outcome.Gone())
                : Future.failedFuture(failure);
    }

    private Future<Outcome> deliver(Webhooks.Received call, Flows.Target target, ObjectNode payload) {
        return call.variant() == Variant.TEST
                ? bus.ask(
                                new TriggerEvents.Save(
                                        target.projectId(), target.flowId(), target.sourceName(), payload),
                                call.deadlineMs())
                        .map(new Outcome.Accepted())
                : start(call, target, payload);
    }

    private Future<Outcome> start(Webhooks.Received call, Flows.Target target, ObjectNode payload) {
        var draft = call.variant().isDraft();
        var version = draft || target.published().isEmpty()
                ? target.latest()
                : target.published().get();
        var runId = Runs.nextId();
        var start = new Runs.Start(
                runId,
                target.projectId(),
                target.flowId(),
                version.id(),
                version.updated(),
                draft ? Environment.TESTING : Environment.PRODUCTION,
                payload,
                call.variant().isWaiting(),
                call.parentRunId(),
                call.failParentOnFailure());
        return bus.ask(shards.deskOf(runId), start, call.deadlineMs() + ALLOWANCE_MS)
                .map(started -> outcome(call.variant(), started));
    }

    private static Outcome outcome(Variant variant, Runs.Started started) {
        return switch (started) {
            case Runs.Started.Accepted _ -> new Outcome.Accepted();
            case Runs.Started.Answered(var _, var answer) -> new Outcome.Answered(answer);
            case Runs.Started.Failed _ -> new Outcome.RunFailed();
            case Runs.Started.Silent _ -> new Outcome.NeverAnswers();
            case Runs.Started.NoItem _ -> variant.isWaiting() ? new Outcome.Unauthorized() : new Outcome.Accepted();
        };
    }

    private Future<Flows.Target> target(String flowId) {
        var known = targets.get(flowId);
        if (known != null && !known.failed()) {
            return known;
        }
        var asked = bus.ask(new Flows.FindTarget(flowId), LOOK_UP_DEADLINE_MS);
        targets.put(flowId, asked);
        asked.onFailure(_ -> targets.remove(flowId, asked));
        return asked;
    }

    /** Keeps the files of a call and puts their addresses where the files were. */
    private Future<ObjectNode> withFiles(Webhooks.Received call, Flows.Target target) {
        var ready = Future.succeededFuture(call.payload());
        for (var upload : call.uploads()) {
            ready = ready.compose(payload -> keep(upload, target, call.deadlineMs())
                    .map(url -> {
                        if (upload.field() == null) {
                            payload.set("body", Json.object().put("fileUrl", url));
                        } else {
                            Envelope.add((ObjectNode) payload.get("body"), upload.field(), TextNode.valueOf(url));
                        }
                        return payload;
                    }));
        }
        return ready;
    }

    private Future<String> keep(Upload upload, Flows.Target target, long deadlineMs) {
        return bus.ask(
                new Files.KeepStepFile(
                        target.projectId(),
                        target.flowId(),
                        "trigger",
                        upload.fileName(),
                        upload.contentType(),
                        upload.data()),
                deadlineMs);
    }
}
