package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceLog;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.RunStart;
import io.millrace.piece.TriggerContext;
import io.millrace.sandbox.expression.NoSteps;
import io.millrace.sandbox.expression.ResolvedInput;
import io.millrace.sandbox.expression.Secrets;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the hooks of triggers: resolves and processes the input, makes the context, and bounds the time. Has no state, so every
 * verticle may share it.
 */
public final class TriggerHooks {
    private static final Logger LOG = LoggerFactory.getLogger(TriggerHooks.class);

    private final HookServices services;
    private final Supplier<String> publicUrl;
    private final Duration runTimeout;
    private final Duration hooksTimeout;
    private final TriggerCounts tally;
    private final InstantSource clock;

    /**
     * @param runTimeout longest RUN (AP_TRIGGER_TIMEOUT_SECONDS)
     * @param hooksTimeout longest other hook (AP_TRIGGER_HOOKS_TIMEOUT_SECONDS)
     */
    public TriggerHooks(
            HookServices services,
            Supplier<String> publicUrl,
            Duration runTimeout,
            Duration hooksTimeout,
            TriggerCounts tally,
            InstantSource clock) {
        this.services = services;
        this.publicUrl = publicUrl;
        this.runTimeout = runTimeout;
        this.hooksTimeout = hooksTimeout;
        this.tally = tally;
        this.clock = clock;
    }

    record HookResult<T>(T result, HookContext context) {}

    public Future<List<JsonNode>> run(TriggerHook trigger, HookPlace place, JsonNode payload, PieceLog log) {
        return switch (trigger) {
            case TriggerHook.Missing(var message) ->
                counted(null, place, Future.failedFuture(PieceFailure.of(message)));
            case TriggerHook.OfPiece hook ->
                counted(hook, place, call(hook, place, payload, false, log, runTimeout, PieceTrigger::run))
                        .map(HookResult::result);
        };
    }

    /** Stored values are buffered. */
    Future<HookResult<List<JsonNode>>> poll(TriggerHook.OfPiece hook, HookPlace place) {
        var log = new PieceLog();
        return warned(
                place,
                log,
                counted(hook, place, call(hook, place, Json.object(), true, log, runTimeout, PieceTrigger::run)));
    }

    Future<List<JsonNode>> test(TriggerHook.OfPiece hook, HookPlace place, PieceLog log) {
        return call(hook, place, Json.object(), false, log, hooksTimeout, PieceTrigger::test)
                .map(HookResult::result);
    }

    Future<HookContext> enable(TriggerHook.OfPiece hook, HookPlace place, PieceLog log) {
        return warned(place, log, counted(hook, place, other(hook, place, log, PieceTrigger::onEnable)))
                .map(HookResult::context);
    }

    Future<Void> disable(TriggerHook.OfPiece hook, HookPlace place) {
        return counted(hook, place, other(hook, place, new PieceLog(), PieceTrigger::onDisable))
                .onFailure(cause -> LOG.warn(
                        "cannot disable the trigger of flow {}; its external registration may remain: {}",
                        place.flowId(),
                        TriggerService.reasonOf(cause, place.flowId())))
                .mapEmpty();
    }

    Future<Void> renew(TriggerHook.OfPiece hook, HookPlace place) {
        return counted(hook, place, other(hook, place, new PieceLog(), PieceTrigger::onRenew))
                .mapEmpty();
    }

    public Future<HttpAnswer> handshake(TriggerHook.OfPiece hook, HookPlace place, JsonNode payload) {
        return call(hook, place, payload, false, new PieceLog(), runTimeout, PieceTrigger::onHandshake)
                .map(HookResult::result);
    }

    public Future<Void> start(TriggerHook.OfPiece hook, HookPlace place, RunStart start) {
        return hook.trigger().preparesRuns()
                ? call(
                                hook,
                                place,
                                start.payload(),
                                false,
                                new PieceLog(),
                                runTimeout,
                                (trigger, context) -> trigger.onStart(start, context))
                        .mapEmpty()
                : bounded(hook.trigger().onStart(start), runTimeout);
    }

    private <T> Future<HookResult<T>> other(
            TriggerHook.OfPiece hook,
            HookPlace place,
            PieceLog log,
            BiFunction<PieceTrigger, TriggerContext, Future<T>> function) {
        return call(hook, place, Json.object(), false, log, hooksTimeout, function);
    }

    private <T> Future<HookResult<T>> call(
            TriggerHook.OfPiece hook,
            HookPlace place,
            JsonNode payload,
            boolean holding,
            PieceLog log,
            Duration timeout,
            BiFunction<PieceTrigger, TriggerContext, Future<T>> function) {
        var called = props(hook, place.projectId(), log).compose(props -> {
            var context = new HookContext(place, hook, props, payload, webhookUrl(place), services, holding, log);
            return function.apply(hook.trigger(), context).map(result -> new HookResult<>(result, context));
        });
        // Only such an input has secrets that a message may repeat.
        return bounded(
                hook.input().needs().hasSecrets()
                        ? called.recover(cause -> Future.failedFuture(log.censored(cause)))
                        : called,
                timeout);
    }

    private static <T> Future<T> bounded(Future<T> call, Duration timeout) {
        return call.isComplete() ? call : call.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Converts an exception of a hook to a failed future, as compose does. */
    private Future<ObjectNode> props(TriggerHook.OfPiece hook, String projectId, PieceLog log) {
        if (hook.input().needs().hasSecrets()) {
            return secrets(hook, projectId)
                    .onSuccess(log::uses)
                    .map(secrets -> input(hook, secrets))
                    .recover(cause -> Future.failedFuture(named(cause)))
                    .compose(input -> processed(hook, input, log));
        }
        try {
            return processed(hook, input(hook, Secrets.NONE), log);
        } catch (RuntimeException | StackOverflowError thrown) {
            return Future.failedFuture(named(thrown));
        }
    }

    /** The log shows censored values only. */
    private Future<ObjectNode> processed(TriggerHook.OfPiece hook, ResolvedInput input, PieceLog log) {
        return hook.processor()
                .apply(object(input.value()), services.files())
                .onSuccess(props -> log.warn(hook.processor().dropped(object(input.censored()), props)));
    }

    private ResolvedInput input(TriggerHook.OfPiece hook, Secrets secrets) {
        return hook.input().resolveBoth(new NoSteps(clock, ThreadLocalRandom.current(), secrets));
    }

    private static ObjectNode object(JsonNode value) {
        return value instanceof ObjectNode object ? object : Json.object();
    }

    private Future<Secrets> secrets(TriggerHook.OfPiece hook, String projectId) {
        var needs = hook.input().needs();
        return services.secrets(projectId, needs.connectionNames(), needs.variableNames())
                .map(loaded -> loaded.usedBy(hook.pieceName()))
                .map(loaded -> hook.trigger().takesBareSecrets() ? loaded.unwrapped() : loaded);
    }

    private static Throwable named(Throwable cause) {
        return cause instanceof ExpressionFailure failure
                ? PieceFailure.named(failure.errorName(), failure.getMessage())
                : cause;
    }

    private String webhookUrl(HookPlace place) {
        var url = publicUrl.get() + "/api/v1/webhooks/" + place.flowId();
        return place.testing() ? url + "/test" : url;
    }

    /** Logs the warnings of a hook that no run shows. */
    private static <T> Future<T> warned(HookPlace place, PieceLog log, Future<T> call) {
        return call.onComplete(_ -> log.warnings()
                .forEach(line -> LOG.warn(
                        "a value of the trigger of flow {} was changed or dropped: {}", place.flowId(), line)));
    }

    private <T> Future<T> counted(TriggerHook.OfPiece hook, HookPlace place, Future<T> call) {
        if (place.testing() || hook == null) {
            return call;
        }
        return call.onComplete(done -> tally.count(
                place.projectId(),
                hook.pieceName(),
                done.succeeded() ? TriggerRunStatus.COMPLETED : TriggerRunStatus.of(done.cause())));
    }
}
