package io.millrace.workspace.usage;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.metrics.MeterSet;
import io.millrace.piece.model.AnswerListener;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelDrawing;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.ModelImage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelSelector;
import io.millrace.piece.model.ModelSpender;
import io.millrace.piece.model.ModelVectors;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meters calls of models, and refuses calls of a project whose budget is used up. Concurrent calls may exceed the budget
 * together: the cost of a response is unknown before it arrives. A streamed response is delivered before it is counted, while
 * the caller stores it ({@link #counted}). Thread-safe.
 */
public final class MeteredModels implements Models {
    private static final Logger LOG = LoggerFactory.getLogger(MeteredModels.class);

    private static final long ASK_DEADLINE_MS = 10_000;

    private final Models models;
    private final Bus bus;
    private final ModelPrices prices;
    private final UnreadableCalls unreadable;

    private final Map<String, Future<Void>> counting;

    private final ModelSpender spender;

    public MeteredModels(Models models, Bus bus, ModelPrices prices, MeterSet meters) {
        this(models, bus, prices, new UnreadableCalls(meters), new ConcurrentHashMap<>(), ModelSpender.NONE);
    }

    private MeteredModels(
            Models models,
            Bus bus,
            ModelPrices prices,
            UnreadableCalls unreadable,
            Map<String, Future<Void>> counting,
            ModelSpender spender) {
        this.models = models;
        this.bus = bus;
        this.prices = prices;
        this.unreadable = unreadable;
        this.counting = counting;
        this.spender = spender;
    }

    @Override
    public Models chargedTo(ModelSpender other) {
        return new MeteredModels(models, bus, prices, unreadable, counting, other);
    }

    @Override
    public Future<List<Provider>> providers(String projectId) {
        return models.providers(projectId);
    }

    @Override
    public Future<JsonNode> offered(String projectId, String provider) {
        return models.offered(projectId, provider);
    }

    @Override
    public Future<ModelChoice> choose(String projectId, ModelSelector selector) {
        return models.choose(projectId, selector);
    }

    @Override
    public Future<Optional<ModelChoice>> embedder(String projectId) {
        return models.embedder(projectId);
    }

    @Override
    public OptionalLong costMicros(ModelChoice choice, long inputTokens, long outputTokens) {
        return prices.micros(choice, inputTokens, outputTokens);
    }

    @Override
    public Future<Void> checkBudget(String projectId) {
        return limitReached(projectId)
                .compose(reason -> reason.isEmpty()
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.QUOTA_EXCEEDED, Json.object().put("metric", "ai-credits"))));
    }

    @Override
    public Future<ModelResponse> ask(String projectId, ModelChoice choice, ModelRequest request, long timeoutMs) {
        return metered(
                projectId,
                choice,
                () -> models.ask(projectId, choice, request, timeoutMs)
                        .onSuccess(answer -> unreadable.count(projectId, choice, request, answer)),
                answer -> usage(choice, answer));
    }

    @Override
    public Future<ModelResponse> askAloud(
            String projectId, ModelChoice choice, ModelRequest request, long timeoutMs, AnswerListener listener) {
        return withinBudget(projectId, choice, () -> models.askAloud(projectId, choice, request, timeoutMs, listener))
                .onSuccess(answer -> {
                    unreadable.count(projectId, choice, request, answer);
                    countBeside(projectId, usage(choice, answer));
                });
    }

    private void countBeside(String projectId, ModelUsage usage) {
        var count = counting.merge(
                projectId,
                count(projectId, usage),
                (before, more) -> Future.join(before, more).mapEmpty());
        count.onComplete(_ -> counting.remove(projectId, count));
    }

    @Override
    public Future<Void> counted(String projectId) {
        return counting.getOrDefault(projectId, Future.succeededFuture());
    }

    @Override
    public Future<ModelVectors> embed(String projectId, ModelChoice choice, List<String> texts, long timeoutMs) {
        return metered(
                projectId,
                choice,
                () -> models.embed(projectId, choice, texts, timeoutMs),
                made -> usage(choice, ModelUsage.Kind.EMBEDDING, made.tokens(), 0, made.credits()));
    }

    @Override
    public Future<ModelImage> draw(String projectId, ModelChoice choice, ModelDrawing wanted, long timeoutMs) {
        return metered(
                projectId,
                choice,
                () -> models.draw(projectId, choice, wanted, timeoutMs),
                made -> usage(choice, ModelUsage.Kind.IMAGE, 0, 0, made.credits()));
    }

    private ModelUsage usage(ModelChoice choice, ModelResponse answer) {
        return usage(
                choice,
                ModelUsage.Kind.CHAT,
                answer.consumption().inputTokens(),
                answer.consumption().outputTokens(),
                answer.consumption().credits());
    }

    private ModelUsage usage(
            ModelChoice choice, ModelUsage.Kind kind, long input, long output, OptionalDouble credits) {
        var cost = credits.isPresent()
                ? ModelPrices.microsOfCredits(credits.getAsDouble())
                : prices.micros(choice, Math.max(0, input), Math.max(0, output)).orElse(0);
        return new ModelUsage(
                choice.provider(),
                choice.model(),
                kind,
                1,
                Math.max(0, input),
                Math.max(0, output),
                credits.orElse(0),
                cost);
    }

    private <T> Future<T> metered(
            String projectId, ModelChoice choice, Supplier<Future<T>> call, Function<T, ModelUsage> used) {
        return withinBudget(projectId, choice, call)
                .compose(answer -> count(projectId, used.apply(answer)).map(answer));
    }

    private <T> Future<T> withinBudget(String projectId, ModelChoice choice, Supplier<Future<T>> call) {
        return limitReached(projectId)
                .compose(reason -> reason.isEmpty()
                        ? call.get()
                        : Future.failedFuture(ModelFailure.ofBudget(
                                choice.provider() + " (" + choice.model() + "): " + reason.get())));
    }

    private Future<Optional<String>> limitReached(String projectId) {
        return counted(projectId)
                .compose(_ -> bus.ask(new ModelUsages.LimitReached(projectId, spender), ASK_DEADLINE_MS));
    }

    /** A failure to count does not discard the paid response. */
    private Future<Void> count(String projectId, ModelUsage usage) {
        return bus.ask(new ModelUsages.Count(projectId, spender, usage), ASK_DEADLINE_MS)
                .<Void>mapEmpty()
                .recover(failure -> {
                    LOG.warn(
                            "cannot count {} tokens of project {} at {}: {}",
                            usage.inputTokens() + usage.outputTokens(),
                            projectId,
                            usage.provider(),
                            failure.getMessage());
                    return Future.succeededFuture();
                });
    }
}
