package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.authoring.flow.EnabledFlows;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.engine.trigger.Triggers;
import io.millrace.engine.webhook.Webhooks.Outcome;
import io.millrace.engine.webhook.Webhooks.Variant;
import io.millrace.piece.HttpAnswer;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Webhook intake: resolves the flow and version, checks that it may run, and passes the call to the run's shard. Caches flows
 * in memory; an entry is evicted when the flow changes at any node, or after one minute.
 */
public final class WebhookVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookVerticle.class);

    private static final int TARGETS_KEPT_MAX = 40_000;

    /** Cache expiry; bounds the effect of a lost change notice. */
    private static final Duration TARGETS_KEPT_FOR = Duration.ofMinutes(1);

    private static final long LOOK_UP_DEADLINE_MS = 10_000;

    /** Margin of inner deadlines: the deadline of the caller must expire first, so that it is the one reported. */
    private static final long ALLOWANCE_MS = 1_000;

    private final Bus bus;
    private final RunShards shards;
    private final Cluster cluster;
    private final BooleanSupplier isDatabaseAway;
    private final InstantSource clock;
    private final Uploads uploads;
    private final WebhookTraces traces;

    /** Shard of the runs that this instance starts. */
    private OptionalInt home = OptionalInt.empty();

    private final Cache<String, Future<CachedFlow>> targets;

    /** @param isDatabaseAway true while the database is unavailable, so that no call can be accepted */
    public WebhookVerticle(
            Bus bus,
            RunShards shards,
            Cluster cluster,
            BooleanSupplier isDatabaseAway,
            Tracer tracer,
            InstantSource clock) {
        this.bus = bus;
        this.shards = shards;
        this.cluster = cluster;
        this.isDatabaseAway = isDatabaseAway;
        this.clock = clock;
        this.uploads = new Uploads(bus);
        this.traces = new WebhookTraces(tracer, clock);
        this.targets = Caches.living("webhook.targets", TARGETS_KEPT_MAX, TARGETS_KEPT_FOR, clock)
                .build();
    }

    @Override
    public Future<?> start() {
        home = shards.onThisThread(bus);
        bus.serve(Webhooks.Received.class, this::receive);
        bus.serve(Webhooks.Look.class, this::look);
        bus.on(Flows.Expected.class, _ -> expectFlows());
        bus.on(Flows.Changed.class, changed -> targets.invalidate(changed.flowId()));
        bus.on(Projects.Deleted.class, _ -> targets.invalidateAll());
        return Future.succeededFuture();
    }

    private void expectFlows() {
        new EnabledFlows(bus)
                .walk(this::known)
                .onSuccess(count -> LOG.info("webhook intake loaded {} enabled flows", count))
                .onFailure(cause -> LOG.warn("webhook intake cannot load its flows", cause));
    }

    private record CachedFlow(Flows.Target target, Triggers.Listening listening) {
        boolean isOpen(Variant variant) {
            return isReached(variant) || keepsSample(variant) && !variant.isWaiting();
        }

        /** Returns true if a call is saved as a sample: always for drafts, otherwise while an editor waits for samples (17.1). */
        boolean keepsSample(Variant variant) {
            return isDraft(variant) || listening.simulating();
        }

        boolean runs(Variant variant) {
            return variant != Variant.TEST && isReached(variant);
        }

        private boolean isReached(Variant variant) {
            return target.enabled() || !variant.needsEnabled();
        }

        private boolean isDraft(Variant variant) {
            return WebhookVerticle.isDraft(variant, target);
        }
    }

    private Future<Outcome> look(Webhooks.Look look) {
        return known(look.flowId())
                .<Outcome>map(known -> known.isOpen(look.variant()) ? new Outcome.Accepted() : new Outcome.Disabled())
                .recover(WebhookVerticle::goneWhenUnknown);
    }

    private Future<Outcome> receive(Webhooks.Received call) {
        if (isDatabaseAway.getAsBoolean()) {
            return Future.failedFuture(ApiException.of(ErrorCode.UNAVAILABLE, "the database is unavailable"));
        }
        return known(call.flowId())
                .compose(known ->
                        known.listening().handshakes().isEmpty() ? take(call, known) : shakenOrTaken(call, known))
                .recover(WebhookVerticle::goneWhenUnknown);
    }

    private Future<Outcome> shakenOrTaken(Webhooks.Received call, CachedFlow known) {
        return handshake(call, known)
                .compose(answer -> answer.isPresent()
                        ? Future.succeededFuture(new Outcome.HandshakeAnswered(answer.get()))
                        : take(call, known));
    }

    /**
     * Answers a handshake before any other check, also for disabled flows: a provider checks the address while the flow is
     * being enabled.
     */
    private Future<Optional<HttpAnswer>> handshake(Webhooks.Received call, CachedFlow known) {
        for (var shaking : known.listening().handshakes()) {
            if (shaking.handshake().matches(call.payload())) {
                var target = known.target();
                var shake = new Triggers.Shake(
                        target.projectId(), target.flowId(), shaking.flowVersionId(), call.payload());
                return bus.ask(shake, call.deadlineMs());
            }
        }
        return Future.succeededFuture(Optional.empty());
    }

    private Future<Outcome> take(Webhooks.Received call, CachedFlow known) {
        if (!known.isOpen(call.variant())) {
            return Future.succeededFuture(new Outcome.Disabled());
        }
        var target = known.target();
        return call.uploads().isEmpty()
                ? take(call, known, call.payload())
                : withFiles(call, target).compose(payload -> take(call, known, payload));
    }

    private Future<Outcome> take(Webhooks.Received call, CachedFlow known, ObjectNode payload) {
        var target = known.target();
        if (!known.keepsSample(call.variant())) {
            return start(call, target, payload);
        }
        var sample = new Triggers.Sample(
                target.projectId(), target.flowId(), target.latest().id(), payload);
        var kept = bus.ask(sample, call.deadlineMs());
        return known.runs(call.variant())
                ? kept.transform(_ -> start(call, target, payload))
                : kept.map(new Outcome.Accepted());
    }

    private static <T> Future<T> failed(Throwable failure) {
        return Future.failedFuture(failure);
    }

    private static Future<Outcome> goneWhenUnknown(Throwable failure) {
        return failure instanceof ApiException refused && refused.code() == ErrorCode.ENTITY_NOT_FOUND
                ? Future.succeededFuture(new Outcome.Gone())
                : Future.failedFuture(failure);
    }

    private Future<Outcome> start(Webhooks.Received call, Flows.Target target, ObjectNode payload) {
        var runId = call.marks().runId() == null ? nextRunId() : call.marks().runId();
        return traces.around(
                        call,
                        runId,
                        payload,
                        traceparent -> shown(
                                call.variant(),
                                target,
                                runId,
                                () -> bus.ask(
                                        shards.addressOf(runId),
                                        startOf(call, target, runId, payload, traceparent),
                                        call.deadlineMs() + ALLOWANCE_MS)))
                .map(started -> outcome(call.variant(), started));
    }

    /** Editors of a flow see the run of a draft whose caller waits (17.1). */
    private Future<Runs.StartResult> shown(
            Variant variant, Flows.Target target, String runId, Supplier<Future<Runs.StartResult>> start) {
        return isDraft(variant, target) && variant.isWaiting()
                ? DraftRunNotice.around(bus, target.projectId(), runId, start)
                : start.get();
    }

    private static boolean isDraft(Variant variant, Flows.Target target) {
        return variant.isDraft(target.published().isPresent());
    }

    private static Runs.Start startOf(
            Webhooks.Received call, Flows.Target target, String runId, ObjectNode payload, String traceparent) {
        var draft = isDraft(call.variant(), target);
        var version = draft || target.published().isEmpty()
                ? target.latest()
                : target.published().get();
        return new Runs.Start(
                runId,
                target.projectId(),
                new Runs.Start.FlowRef(target.flowId(), version.id(), version.updated()),
                draft ? RunEnvironment.TESTING : RunEnvironment.PRODUCTION,
                payload,
                call.variant().isWaiting(),
                call.parent(),
                new Runs.Start.CallOrigin(
                        call.marks().idempotencyKey(), call.marks().callId(), traceparent));
    }

    private String nextRunId() {
        var now = clock.instant();
        return home.isPresent() ? shards.nextRunId(home.getAsInt(), now) : Runs.nextId(now);
    }

    private static Outcome outcome(Variant variant, Runs.StartResult started) {
        return switch (started) {
            case Runs.StartResult.Accepted _ -> new Outcome.Accepted();
            case Runs.StartResult.Answered(var _, var answer) -> new Outcome.Answered(answer);
            case Runs.StartResult.Failed _ -> new Outcome.RunFailed();
            case Runs.StartResult.Silent _ -> new Outcome.NeverAnswers();
            case Runs.StartResult.Repeated(var callId, var first) ->
                new Outcome.Repeated(callId, outcome(variant, first));
            case Runs.StartResult.NoItem _ when !variant.isWaiting() -> new Outcome.Accepted();
            case Runs.StartResult.NoItem(var refused) ->
                refused ? new Outcome.Unauthorized() : new Outcome.NeverAnswers();
        };
    }

    /** Returns the cached flow; first applies pending changes of other nodes unless that was done very recently. */
    private Future<CachedFlow> known(String flowId) {
        var known = cluster.isCurrent() ? kept(flowId) : cluster.current().compose(_ -> kept(flowId));
        return known.succeeded() ? known : known.recover(failure -> failed(ApiException.withoutEffect(failure)));
    }

    private Future<CachedFlow> kept(String flowId) {
        var known = targets.getIfPresent(flowId);
        if (known != null && known.succeeded()) {
            // A completed future from the cache is bound to a context, so a new one without a context is returned.
            return Future.succeededFuture(known.result());
        }
        if (known != null && !known.isComplete()) {
            return known;
        }
        var asked = bus.ask(new Flows.FindTarget(flowId), LOOK_UP_DEADLINE_MS).compose(target -> {
            var versions = Stream.concat(target.published().stream(), Stream.of(target.latest()))
                    .map(Flows.VersionRef::id)
                    .distinct()
                    .toList();
            return bus.ask(new Triggers.Look(flowId, versions), LOOK_UP_DEADLINE_MS)
                    .map(listening -> new CachedFlow(target, listening));
        });
        targets.put(flowId, asked);
        asked.onFailure(_ -> targets.asMap().remove(flowId, asked));
        return asked;
    }

    private Future<ObjectNode> withFiles(Webhooks.Received call, Flows.Target target) {
        var owner = new Uploads.Owner(target.projectId(), target.flowId(), "trigger");
        return uploads.keep(call.payload(), call.uploads(), owner, call.deadlineMs());
    }
}
