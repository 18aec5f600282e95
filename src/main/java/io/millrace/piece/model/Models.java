package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The models of a project's platform. Plugged in by the module that knows their providers. */
public interface Models {
    /** The newest providers and keys: what a drop-down of providers offers. */
    Future<List<Provider>> providers(String projectId);

    /** A provider that can be chosen. */
    record Provider(String id, String provider, String name) {}

    /** Models of a provider: an array of {@code {id, name, type}}. */
    Future<JsonNode> offered(String projectId, String provider);

    /**
     * Which provider and model a selector means (seed, Errors: models on platform AI credits).
     *
     * @return fails with ENTITY_NOT_FOUND when there is no usable provider, with VALIDATION for a model that is not
     *     offered on platform credits
     */
    Future<ModelChoice> choose(String projectId, ModelSelector selector);

    /** Fails with QUOTA_EXCEEDED when the project has used up what it may. */
    Future<Void> checkBudget(String projectId);

    /**
     * Asks a model once. Fails with {@link ModelFailure}.
     *
     * @param timeoutMs longest time for the whole answer
     */
    Future<ModelResponse> ask(String projectId, ModelChoice choice, ModelRequest request, long timeoutMs);

    /**
     * The model that makes vectors of a project's texts: that of the provider which the platform uses for chats. Empty when
     * there is no such provider, or it has no such model.
     */
    Future<Optional<ModelChoice>> embedder(String projectId);

    /**
     * Makes vectors of some texts. Fails with {@link ModelFailure}.
     *
     * @param choice as {@link #embedder} answered it, then or earlier
     */
    Future<ModelVectors> embed(String projectId, ModelChoice choice, List<String> texts, long timeoutMs);

    /**
     * As {@link #ask}, with the text of the answer as it is written, where the provider sends it so.
     *
     * @param listener given the text, and asked whether the answer is still needed
     */
    default Future<ModelResponse> askAloud(
            String projectId, ModelChoice choice, ModelRequest request, long timeoutMs, AnswerListener listener) {
        return ask(projectId, choice, request, timeoutMs);
    }

    /** Done when all that was asked aloud for a project is counted; before, its answers may have come already. */
    default Future<Void> counted(String projectId) {
        return Future.succeededFuture();
    }

    /** Makes an image. Fails with {@link ModelFailure}. */
    Future<ModelImage> draw(String projectId, ModelChoice choice, ModelDrawing wanted, long timeoutMs);
}
