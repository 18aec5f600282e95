package io.millrace.workspace.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.piece.model.ModelAnswer;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelDrawing;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.ModelQuestion;
import io.millrace.piece.model.ModelVectors;
import io.millrace.piece.model.ModelWish;
import io.millrace.piece.model.Models;
import io.millrace.workspace.aiprovider.AiRefusal;
import io.millrace.workspace.aiprovider.FindProvider;
import io.millrace.workspace.aiprovider.GoogleTokens;
import io.millrace.workspace.aiprovider.ListModels;
import io.millrace.workspace.aiprovider.ListProviders;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Asks the models of a platform's providers, each in its wire format, through the one guarded client (decision 0185). What a
 * provider says of a failure reaches people without the secrets that it may repeat.
 */
public final class ProviderModels implements Models {
    private static final long ASK_DEADLINE_MS = 10_000;
    private static final int ANSWER_BYTES_MAX = 10 << 20;
    private static final int IMAGE_BYTES_MAX = 32 << 20;
    private static final int VECTOR_BYTES_MAX = 32 << 20;
    private static final int REASON_LENGTH_MAX = 500;
    private static final String CREDITS = "activepieces";
    private static final int PLATFORMS_KEPT_MAX = 10_000;
    private static final Duration PLATFORMS_KEPT_FOR = Duration.ofMinutes(10);

    private final Bus bus;
    private final OutboundHttp http;
    private final ModelEndpoint endpoint;
    private final Optional<String> creditsKey;
    private final GoogleTokens google;

    /** Platforms of projects, which never change: each turn of an agent asks. Safe for threads. */
    private final Cache<String, String> platforms;

    /** @param creditsKey key of the platform's own credits, empty where there are none */
    public ProviderModels(Bus bus, OutboundHttp http, Optional<String> creditsKey, InstantSource clock) {
        this(bus, http, creditsKey, clock, host -> "https://" + host);
    }

    /** @param origins where the hosts of providers are reached */
    ProviderModels(
            Bus bus,
            OutboundHttp http,
            Optional<String> creditsKey,
            InstantSource clock,
            UnaryOperator<String> origins) {
        this.bus = bus;
        this.http = http;
        this.creditsKey = creditsKey;
        this.platforms = Caches.living("model.platforms", PLATFORMS_KEPT_MAX, PLATFORMS_KEPT_FOR, clock)
                .build();
        this.endpoint = new ModelEndpoint(origins, clock);
        this.google = new GoogleTokens(http, clock, origins);
    }

    @Override
    public Future<List<Provider>> providers(String projectId) {
        return platformOf(projectId)
                .compose(platformId -> bus.ask(new ListProviders(platformId), ASK_DEADLINE_MS))
                .map(found -> found.stream()
                        .map(one -> new Provider(one.id(), one.provider(), one.name()))
                        .toList());
    }

    @Override
    public Future<JsonNode> offered(String projectId, String provider) {
        if (provider.equals(CREDITS)) {
            var all = Json.array();
            OfferedModels.TIERS.forEach(tier -> all.addObject()
                    .put("id", tier.id())
                    .put("name", tier.label())
                    .put("type", "text"));
            return Future.succeededFuture(all);
        }
        return platformOf(projectId)
                .compose(platformId -> bus.ask(new ListModels(platformId, provider), ASK_DEADLINE_MS));
    }

    @Override
    public Future<ModelChoice> choose(String projectId, ModelWish wish) {
        if (wish.provider().filter(CREDITS::equals).isPresent() && wish.model().isPresent()) {
            var offered = OfferedModels.onCredits(wish.model().get());
            if (offered.isEmpty()) {
                return Future.failedFuture(notOffered(wish.model().get()));
            }
        }
        return access(projectId, wish.provider(), wish.configId())
                .compose(access -> modelOf(projectId, access, wish.model())
                        .map(model -> new ModelChoice(
                                access.provider(),
                                access.id(),
                                model,
                                OfferedModels.contextTokens(access.provider()))));
    }

    /** Providers set no budgets; who counts does. */
    @Override
    public Future<Void> checkBudget(String projectId) {
        return Future.succeededFuture();
    }

    private Future<String> modelOf(String projectId, ProviderAccess access, Optional<String> wanted) {
        var name = wanted.or(() -> OfferedModels.usual(access.provider()));
        if (access.provider().equals(CREDITS)) {
            var offered = name.flatMap(OfferedModels::onCredits);
            return offered.map(Future::succeededFuture)
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
                .orElseThrow(
                        () -> ApiException.of(ErrorCode.VALIDATION, "expected a model, and the provider has none"));
    }

    private static ApiException notOffered(String model) {
        return ApiException.of(
                ErrorCode.VALIDATION,
                "The model " + model + " is not available on platform AI credits. Available models: "
                        + String.join(", ", OfferedModels.ON_CREDITS));
    }

    @Override
    public Future<ModelAnswer> ask(String projectId, ModelChoice choice, ModelQuestion question, long timeoutMs) {
        return ask(projectId, choice, question, timeoutMs, Optional.empty());
    }

    @Override
    public Future<ModelAnswer> askAloud(
            String projectId, ModelChoice choice, ModelQuestion question, long timeoutMs, Consumer<String> heard) {
        return ask(projectId, choice, question, timeoutMs, Optional.of(heard));
    }

    private Future<ModelAnswer> ask(
            String projectId,
            ModelChoice choice,
            ModelQuestion question,
            long timeoutMs,
            Optional<Consumer<String>> heard) {
        return access(projectId, choice).compose(access -> {
            if (question.webSearch().isPresent() && !ModelEndpoint.searchesTheWeb(access)) {
                return Future.failedFuture(new ModelFailure(access.title() + " does not search the web", false));
            }
            ModelEndpoint.Prepared prepared;
            try {
                prepared = endpoint.prepare(access, choice.model(), question, heard.isPresent());
            } catch (IllegalArgumentException malformed) {
                return Future.failedFuture(failure(access, choice, malformed.getMessage(), false));
            }
            var format = prepared.format();
            var streamed = heard.flatMap(_ -> format.streamed());
            var events = streamed.map(kind -> new ModelEvents(event -> {
                var text = kind.text(event);
                if (!text.isEmpty()) {
                    heard.get().accept(text);
                }
            }));
            return sent(
                            access,
                            choice,
                            prepared.request(),
                            timeoutMs,
                            ANSWER_BYTES_MAX,
                            part -> events.ifPresent(reader -> reader.hear(part)))
                    .compose(response -> streamed.isPresent() && isStream(response)
                            ? read(
                                    access,
                                    choice,
                                    () -> format.read(streamed.get().whole(ModelEvents.of(response.body()))))
                            : json(access, choice, response)
                                    .compose(body -> read(access, choice, () -> format.read(body))));
        });
    }

    private static boolean isStream(OutboundResponse response) {
        return response.status() / 100 == 2
                && String.valueOf(response.headers().get("Content-Type")).contains("text/event-stream");
    }

    private static <T> Future<T> read(ProviderAccess access, ModelChoice choice, Supplier<T> reading) {
        try {
            return Future.succeededFuture(reading.get());
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture(
                    failure(access, choice, "an answer that cannot be read: " + malformed.getMessage(), true));
        }
    }

    @Override
    public Future<Buffer> draw(String projectId, ModelChoice choice, ModelDrawing wanted, long timeoutMs) {
        return access(projectId, choice).compose(access -> {
            var drawing = ModelImages.of(access.provider());
            if (drawing.isEmpty()) {
                return Future.failedFuture(new ModelFailure(access.title() + " has no models that make images", false));
            }
            var request = endpoint.request(
                    access,
                    drawing.get().path(choice.model(), wanted),
                    drawing.get().write(choice.model(), wanted));
            return send(access, choice, request, timeoutMs, IMAGE_BYTES_MAX).compose(body -> {
                var image = drawing.get().read(body);
                return image.map(text -> Future.succeededFuture(
                                Buffer.buffer(Base64.getMimeDecoder().decode(text))))
                        .orElseGet(() -> Future.failedFuture(failure(access, choice, "no image came back", false)));
            });
        });
    }

    @Override
    public Future<Optional<ModelChoice>> embedder(String projectId) {
        return access(projectId, Optional.empty(), Optional.empty())
                .map(access -> OfferedModels.embedding(access)
                        .map(model -> new ModelChoice(
                                access.provider(), access.id(), model, OfferedModels.contextTokens(access.provider()))))
                .recover(failure -> ApiException.isNotFound(failure)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    @Override
    public Future<ModelVectors> embed(String projectId, ModelChoice choice, List<String> texts, long timeoutMs) {
        return access(projectId, choice).compose(access -> {
            var format = ModelEmbeddings.of(access.provider());
            if (format.isEmpty()) {
                return Future.failedFuture(
                        new ModelFailure(access.title() + " has no models that make vectors of texts", false));
            }
            OutboundRequest request;
            try {
                request = endpoint.request(
                        access,
                        format.get().path(access, choice.model()),
                        format.get().write(choice.model(), texts));
            } catch (IllegalArgumentException malformed) {
                return Future.failedFuture(failure(access, choice, malformed.getMessage(), false));
            }
            return send(access, choice, request, timeoutMs, VECTOR_BYTES_MAX)
                    .compose(body -> read(access, choice, () -> format.get().read(body, texts.size())));
        });
    }

    private Future<ProviderAccess> access(String projectId, ModelChoice choice) {
        return access(
                        projectId,
                        Optional.of(choice.provider()),
                        Optional.of(choice.configId()).filter(id -> !id.isEmpty()))
                .recover(gone -> Future.failedFuture(
                        ApiException.isNotFound(gone)
                                ? new ModelFailure(
                                        choice.provider() + " (" + choice.model() + "): the provider is not set up",
                                        false)
                                : gone))
                .compose(access -> access.provider().equals("vertex")
                        ? withToken(access, choice)
                        : Future.succeededFuture(access));
    }

    /** An account of Google is no key: it is used to ask for one. */
    private Future<ProviderAccess> withToken(ProviderAccess access, ModelChoice choice) {
        return google.of(access.auth().path("serviceAccountJson").asText())
                .map(token -> new ProviderAccess(
                        access.id(),
                        access.provider(),
                        access.title(),
                        access.config(),
                        access.auth().deepCopy().put("apiKey", token)))
                .recover(refused -> Future.failedFuture(
                        failure(access, choice, refused.getMessage(), !(refused instanceof AiRefusal))));
    }

    private Future<ProviderAccess> access(String projectId, Optional<String> provider, Optional<String> configId) {
        if (provider.filter(CREDITS::equals).isPresent()) {
            return credits().map(Future::succeededFuture).orElseGet(() -> Future.failedFuture(notSetUp(provider)));
        }
        return platformOf(projectId)
                .compose(platformId -> bus.ask(new FindProvider(platformId, provider, configId), ASK_DEADLINE_MS))
                .recover(gone -> provider.isEmpty() && credits().isPresent() && ApiException.isNotFound(gone)
                        ? Future.succeededFuture(credits().get())
                        : Future.failedFuture(ApiException.isNotFound(gone) ? notSetUp(provider) : gone));
    }

    /** A step fails with these words, so they say what to do (seed, moves of a flow run with a Run Agent step). */
    private static ApiException notSetUp(Optional<String> provider) {
        return ApiException.of(
                ErrorCode.ENTITY_NOT_FOUND,
                Json.object()
                        .put("entityType", "AIProvider")
                        .put("entityId", provider.orElse("chat"))
                        .put(
                                "message",
                                provider.map(name -> "The AI provider " + name + " is not set up, or its key is gone")
                                        .orElse(
                                                "No AI provider is set up for chats; an administrator has to add one")));
    }

    private Optional<ProviderAccess> credits() {
        return creditsKey.map(key -> new ProviderAccess(
                "", CREDITS, "Platform AI credits", Json.object(), Json.object().put("apiKey", key)));
    }

    private Future<String> platformOf(String projectId) {
        var known = platforms.getIfPresent(projectId);
        return known != null
                ? Future.succeededFuture(known)
                : bus.ask(new Projects.Find(projectId), ASK_DEADLINE_MS).map(project -> {
                    platforms.put(projectId, project.platformId());
                    return project.platformId();
                });
    }

    private Future<JsonNode> send(
            ProviderAccess access, ModelChoice choice, OutboundRequest request, long timeoutMs, int bytesMax) {
        return sent(access, choice, request, timeoutMs, bytesMax, _ -> {})
                .compose(response -> json(access, choice, response));
    }

    private Future<OutboundResponse> sent(
            ProviderAccess access,
            ModelChoice choice,
            OutboundRequest request,
            long timeoutMs,
            int bytesMax,
            Consumer<Buffer> heard) {
        return http.send(request.withTimeoutMs(Math.max(1, timeoutMs)).withBodyBytesMax(bytesMax), heard)
                .recover(cause -> Future.failedFuture(
                        cause instanceof OutboundFailure || cause instanceof java.io.IOException
                                ? failure(access, choice, cause.getMessage(), !isForbidden(cause))
                                : cause));
    }

    /** An address that may not be called stays so. */
    private static boolean isForbidden(Throwable cause) {
        return cause instanceof OutboundFailure failure
                && (failure.kind() == OutboundFailure.Kind.BLOCKED_ADDRESS
                        || failure.kind() == OutboundFailure.Kind.BODY_TOO_LARGE);
    }

    private static Future<JsonNode> json(ProviderAccess access, ModelChoice choice, OutboundResponse response) {
        if (response.status() / 100 != 2) {
            return Future.failedFuture(failure(
                    access, choice, reasonOf(response), isPassing(response.status()), RetryAfter.ofMs(response)));
        }
        try {
            return Future.succeededFuture(Json.parse(response.body().getBytes()));
        } catch (JsonProcessingException malformed) {
            return Future.failedFuture(failure(access, choice, "the answer is no JSON", true));
        }
    }

    private static boolean isPassing(int status) {
        return status == 408 || status == 429 || status >= 500;
    }

    /** What the provider says, wherever it says it. */
    private static String reasonOf(OutboundResponse response) {
        var body = response.body().toString();
        String said;
        try {
            var json = Json.parse(body);
            var error = json.path("error");
            said = error.isTextual()
                    ? error.asText()
                    : error.path("message")
                            .asText(json.path("message")
                                    .asText(json.path(0).at("/error/message").asText(body)));
        } catch (JsonProcessingException text) {
            said = body;
        }
        return said.isBlank() ? "status " + response.status() : said;
    }

    private static ModelFailure failure(ProviderAccess access, ModelChoice choice, String reason, boolean retriable) {
        return failure(access, choice, reason, retriable, 0);
    }

    private static ModelFailure failure(
            ProviderAccess access, ModelChoice choice, String reason, boolean retriable, long retryAfterMs) {
        var told = String.valueOf(reason).replaceAll("\\p{Cntrl}+", " ");
        for (var secret : access.auth()) {
            told = secret.asText("").isEmpty() ? told : told.replace(secret.asText(), "***");
        }
        return new ModelFailure(
                access.provider() + " (" + choice.model() + "): "
                        + told.substring(0, Math.min(told.length(), REASON_LENGTH_MAX)),
                retriable,
                retryAfterMs);
    }
}
