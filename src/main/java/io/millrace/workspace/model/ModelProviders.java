package io.millrace.workspace.model;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelFailure;
import io.millrace.workspace.aiprovider.AiRefusal;
import io.millrace.workspace.aiprovider.FindProvider;
import io.millrace.workspace.aiprovider.GoogleTokens;
import io.millrace.workspace.aiprovider.ProviderAccess;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

final class ModelProviders {
    static final String CREDITS = "activepieces";

    private static final long ASK_DEADLINE_MS = 10_000;
    private static final int PLATFORMS_KEPT_MAX = 10_000;
    private static final Duration PLATFORMS_KEPT_FOR = Duration.ofMinutes(10);

    private final Bus bus;
    private final Optional<ProviderAccess> credits;
    private final GoogleTokens google;

    /** Platforms of projects, which never change: cached, because each turn of an agent needs them. Thread-safe. */
    private final Cache<String, String> platforms;

    /** @param credits the platform's own credits; empty when not configured */
    ModelProviders(Bus bus, Optional<PlatformCredits> credits, GoogleTokens google, InstantSource clock) {
        this.bus = bus;
        this.credits = credits.map(account -> new ProviderAccess(
                "",
                CREDITS,
                "Platform AI credits",
                Json.object().put("baseUrl", account.url()),
                Json.object().put("apiKey", account.key())));
        this.google = google;
        this.platforms = Caches.living("model.platforms", PLATFORMS_KEPT_MAX, PLATFORMS_KEPT_FOR, clock)
                .build();
    }

    Optional<ProviderAccess> credits() {
        return credits;
    }

    Future<String> platformOf(String projectId) {
        var known = platforms.getIfPresent(projectId);
        return known != null
                ? Future.succeededFuture(known)
                : bus.ask(new Projects.Find(projectId), ASK_DEADLINE_MS).map(project -> {
                    platforms.put(projectId, project.platformId());
                    return project.platformId();
                });
    }

    /**
     * The selected provider; fails with ENTITY_NOT_FOUND when it is not configured.
     *
     * @param provider empty for the one that the platform uses for chats
     * @param configId pins one key
     */
    Future<ProviderAccess> find(String projectId, Optional<String> provider, Optional<String> configId) {
        if (provider.filter(CREDITS::equals).isPresent()) {
            return ofCredits(provider);
        }
        return platformOf(projectId)
                .compose(platformId -> bus.ask(new FindProvider(platformId, provider, configId), ASK_DEADLINE_MS))
                .compose(access ->
                        access.provider().equals(CREDITS) ? ofCredits(provider) : Future.succeededFuture(access))
                .recover(gone -> provider.isEmpty() && credits.isPresent() && ApiException.isNotFound(gone)
                        ? Future.succeededFuture(credits.get())
                        : Future.failedFuture(ApiException.isNotFound(gone) ? notSetUp(provider) : gone));
    }

    /** The key of the credits is a setting; the row of the credits has none. */
    private Future<ProviderAccess> ofCredits(Optional<String> provider) {
        return credits.map(Future::succeededFuture).orElseGet(() -> Future.failedFuture(notSetUp(provider)));
    }

    /** A step fails with this message, so it names the remedy (seed, moves of a flow run with a Run Agent step). */
    private static ApiException notSetUp(Optional<String> provider) {
        return ApiException.of(
                ErrorCode.ENTITY_NOT_FOUND,
                Json.object()
                        .put("entityType", "AIProvider")
                        .put("entityId", provider.orElse("chat"))
                        .put(
                                "message",
                                provider.map(name -> "The AI provider " + name
                                                + " is not configured, or its key was deleted")
                                        .orElse(
                                                "No AI provider is configured for chats; ask an administrator to add one")));
    }

    /** The chosen model with its provider; fails with {@link ModelFailure} when the provider was deleted. */
    Future<ModelTarget> target(String projectId, ModelChoice choice) {
        return find(
                        projectId,
                        Optional.of(choice.provider()),
                        Optional.of(choice.configId()).filter(id -> !id.isEmpty()))
                .recover(gone -> Future.failedFuture(
                        ApiException.isNotFound(gone)
                                ? new ModelFailure(
                                        choice.provider() + " (" + choice.model() + "): the provider is not configured",
                                        false)
                                : gone))
                .map(access -> new ModelTarget(access, choice.model()))
                .compose(target -> target.access().provider().equals("vertex")
                        ? withToken(target)
                        : Future.succeededFuture(target));
    }

    /** Exchanges a Google service account, which is not a key itself, for an access token. */
    private Future<ModelTarget> withToken(ModelTarget target) {
        var access = target.access();
        return google.of(access.auth().path("serviceAccountJson").asText())
                .map(token -> new ModelTarget(
                        new ProviderAccess(
                                access.id(),
                                access.provider(),
                                access.title(),
                                access.config(),
                                access.auth().deepCopy().put("apiKey", token)),
                        target.model()))
                .recover(refused ->
                        Future.failedFuture(target.failure(refused.getMessage(), !(refused instanceof AiRefusal))));
    }
}
