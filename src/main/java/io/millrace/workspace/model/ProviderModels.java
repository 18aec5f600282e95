package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundResponse;
import io.millrace.piece.model.AnswerListener;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelDrawing;
import io.millrace.piece.model.ModelImage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelSelector;
import io.millrace.piece.model.ModelVectors;
import io.millrace.piece.model.Models;
import io.millrace.workspace.aiprovider.GoogleTokens;
import io.millrace.workspace.aiprovider.ListModels;
import io.millrace.workspace.aiprovider.ListProviders;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.millrace.workspace.model.format.ModelFormat;
import io.millrace.workspace.model.format.StreamedFormat;
import io.millrace.workspace.model.format.ThoughtSplitter;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Calls the models of a platform's providers, each in its wire format (decision 0185). */
public final class ProviderModels implements Models {
    private static final long ASK_DEADLINE_MS = 10_000;
    private static final int ANSWER_BYTES_MAX = 10 << 20;
    private static final int IMAGE_BYTES_MAX = 32 << 20;
    private static final int VECTOR_BYTES_MAX = 32 << 20;

    private final Bus bus;
    private final ModelProviders providers;
    private final ModelEndpoint endpoint;
    private final ModelCalls calls;

    /**
     * @param credits the platform's own credits; empty when not configured
     * @param origins maps the host of a provider to its base address
     */
    public ProviderModels(
            Bus bus,
            OutboundHttp http,
            Optional<PlatformCredits> credits,
            InstantSource clock,
            UnaryOperator<String> origins) {
        this.bus = bus;
        this.providers = new ModelProviders(bus, credits, new GoogleTokens(http, clock, origins), clock);
        this.endpoint = new ModelEndpoint(origins, clock);
        this.calls = new ModelCalls(http);
    }

    @Override
    public Future<List<Provider>> providers(String projectId) {
        return providers
                .platformOf(projectId)
                .compose(platformId -> bus.ask(new ListProviders(platformId), ASK_DEADLINE_MS))
                .map(found -> Stream.concat(
                                found.stream().map(one -> new Provider(one.id(), one.provider(), one.name())),
                                providers.credits().stream()
                                        .map(own -> new Provider(own.id(), own.provider(), own.title())))
                        .toList());
    }

    @Override
    public Future<JsonNode> offered(String projectId, String provider) {
        if (provider.equals(ModelProviders.CREDITS)) {
            return Future.succeededFuture(OfferedModels.tiers());
        }
        return providers
                .platformOf(projectId)
                .compose(platformId -> bus.ask(new ListModels(platformId, provider), ASK_DEADLINE_MS));
    }

    /** A model that credits never offer is refused before the credits are looked up. */
    @Override
    public Future<ModelChoice> choose(String projectId, ModelSelector selector) {
        var unknown = selector.model()
                .filter(_ -> selector.provider()
                        .filter(ModelProviders.CREDITS::equals)
                        .isPresent())
                .filter(model -> OfferedModels.onCredits(model).isEmpty());
        return unknown.<Future<ModelChoice>>map(model -> Future.failedFuture(notOffered(model)))
                .orElseGet(() -> providers
                        .find(projectId, selector.provider(), selector.configId())
                        .compose(access ->
                                modelOf(projectId, access, selector.model()).map(model -> choiceOf(access, model))));
    }

    private static ModelChoice choiceOf(ProviderAccess access, String model) {
        return new ModelChoice(access.provider(), access.id(), model, OfferedModels.contextTokens(access.provider()));
    }

    /** No budget here: {@code MeteredModels} checks it. */
    @Override
    public Future<Void> checkBudget(String projectId) {
        return Future.succeededFuture();
    }

    private Future<String> modelOf(String projectId, ProviderAccess access, Optional<String> wanted) {
        var name = wanted.or(() -> OfferedModels.usual(access.provider()));
        if (access.provider().equals(ModelProviders.CREDITS)) {
            return name.flatMap(OfferedModels::onCredits)
                    .map(Future::succeededFuture)
                    .orElseGet(() -> Future.failedFuture(notOffered(name.orElse(""))));
        }
        return name.map(Future::succeededFuture)
                .orElseGet(() -> offered(projectId, access.provider()).map(ProviderModels::firstOfTexts));
    }

    private static String firstOfTexts(JsonNode models) {
        return models.valueStream()
                .filter(model -> model.path("type").asText().equals("text"))
                .map(model -> model.path("id").asText())
                .findFirst()
                .orElseThrow(() ->
                        ApiException.of(ErrorCode.VALIDATION, "expected a model: the provider has no default model"));
    }

    private static ApiException notOffered(String model) {
        return ApiException.of(
                ErrorCode.VALIDATION,
                "The model " + model + " is not available on platform AI credits. Available models: "
                        + String.join(", ", OfferedModels.ON_CREDITS));
    }

    @Override
    public Future<ModelResponse> ask(String projectId, ModelChoice choice, ModelRequest wanted, long timeoutMs) {
        return providers.target(projectId, choice).compose(target -> ask(target, wanted, timeoutMs, Optional.empty()));
    }

    @Override
    public Future<ModelResponse> askAloud(
            String projectId, ModelChoice choice, ModelRequest wanted, long timeoutMs, AnswerListener listener) {
        return providers
                .target(projectId, choice)
                .compose(target -> ask(target, wanted, timeoutMs, Optional.of(listener)));
    }

    private Future<ModelResponse> ask(
            ModelTarget target, ModelRequest wanted, long timeoutMs, Optional<AnswerListener> listener) {
        return wanted.webSearch().isPresent() && !ModelEndpoint.searchesTheWeb(target.access())
                ? target.unable("does not support web search")
                : ask(target, new RequestVariant(wanted, listener.isPresent(), true), timeoutMs, listener);
    }

    private Future<ModelResponse> ask(
            ModelTarget target, RequestVariant variant, long timeoutMs, Optional<AnswerListener> listener) {
        return target.written(() -> endpoint.prepare(target.access(), target.model(), variant))
                .compose(prepared -> calls.send(
                                target, prepared.request(), timeoutMs, ANSWER_BYTES_MAX, reading(prepared, listener))
                        .compose(response -> variant.after(response)
                                .map(next -> ask(target, next, timeoutMs, listener))
                                .orElseGet(() -> answer(target, prepared, response))));
    }

    /** Forwards the text of the answer as it arrives, without thoughts; a cancellation ends the request. */
    private static ModelCalls.Reading reading(
            ModelEndpoint.PreparedRequest prepared, Optional<AnswerListener> listener) {
        if (listener.isEmpty()) {
            return ModelCalls.Reading.WHOLE;
        }
        var text = listener.get().text();
        var body = prepared.streamed()
                .<Consumer<Buffer>>map(kind -> {
                    var answer = new ThoughtSplitter(text);
                    return kind.eventReader(event -> answer.add(kind.text(event)));
                })
                .orElse(_ -> {});
        return new ModelCalls.Reading(body, listener.get().cancelled());
    }

    /** Some servers name another media type, or answer with a whole body although a stream was requested. */
    private Future<ModelResponse> answer(
            ModelTarget target, ModelEndpoint.PreparedRequest prepared, OutboundResponse response) {
        var format = prepared.format();
        return prepared.streamed()
                .filter(kind -> isStream(kind, response))
                .map(kind -> target.read(() -> read(target, format, kind.whole(kind.events(response.body())))))
                .orElseGet(() ->
                        calls.json(target, response).compose(body -> target.read(() -> read(target, format, body))));
    }

    private static ModelResponse read(ModelTarget target, ModelFormat format, JsonNode body) {
        return format.read(body).taking(target.creditsTakenBy(body));
    }

    private static boolean isStream(StreamedFormat kind, OutboundResponse response) {
        return ModelCalls.isGood(response)
                && kind.isStream(String.valueOf(response.headers().get("Content-Type")), response.body());
    }

    @Override
    public Future<ModelImage> draw(String projectId, ModelChoice choice, ModelDrawing wanted, long timeoutMs) {
        return providers
                .target(projectId, choice)
                .compose(target -> ModelImages.of(target.access().provider())
                        .map(drawing -> draw(target, drawing, wanted, timeoutMs))
                        .orElseGet(() -> target.unable("has no image models")));
    }

    private Future<ModelImage> draw(ModelTarget target, ModelImages drawing, ModelDrawing wanted, long timeoutMs) {
        return target.written(() -> endpoint.request(
                        target.access(), drawing.path(target.model(), wanted), drawing.write(target.model(), wanted)))
                .compose(request -> calls.ask(target, request, timeoutMs, IMAGE_BYTES_MAX))
                .compose(body -> drawing.read(body)
                        .map(text -> target.read(() ->
                                new ModelImage(Buffer.buffer(ModelImages.decoded(text)), target.creditsTakenBy(body))))
                        .orElseGet(() -> Future.failedFuture(target.failure("the provider returned no image", false))));
    }

    @Override
    public Future<Optional<ModelChoice>> embedder(String projectId) {
        return providers
                .find(projectId, Optional.empty(), Optional.empty())
                .map(access -> OfferedModels.embedding(access).map(model -> choiceOf(access, model)))
                .recover(failure -> ApiException.isNotFound(failure)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    @Override
    public Future<ModelVectors> embed(String projectId, ModelChoice choice, List<String> texts, long timeoutMs) {
        return providers
                .target(projectId, choice)
                .compose(target -> ModelEmbeddings.of(target.access().provider())
                        .map(format -> embed(target, format, texts, timeoutMs))
                        .orElseGet(() -> target.unable("has no embedding models")));
    }

    private Future<ModelVectors> embed(ModelTarget target, ModelEmbeddings format, List<String> texts, long timeoutMs) {
        return target.written(() -> endpoint.request(
                        target.access(),
                        format.path(target.access(), target.model()),
                        format.write(target.model(), texts)))
                .compose(request -> calls.ask(target, request, timeoutMs, VECTOR_BYTES_MAX))
                .compose(body ->
                        target.read(() -> format.read(body, texts.size()).taking(target.creditsTakenBy(body))));
    }
}
