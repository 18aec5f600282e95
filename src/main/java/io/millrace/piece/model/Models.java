package io.millrace.piece.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Models of a project's platform. Implemented by the module of model providers. */
public interface Models {
    /** Configured providers for a drop-down, newest first. */
    Future<List<Provider>> providers(String projectId);

    record Provider(String id, String provider, String name) {}

    /** Models of a provider: an array of {@code {id, name, type}}. */
    Future<JsonNode> offered(String projectId, String provider);

    /**
     * Resolves a selector to a provider and model (seed, Errors: models on platform AI credits).
     *
     * @return fails with ENTITY_NOT_FOUND when there is no usable provider, with VALIDATION for a model that is not
     *     offered on platform credits
     */
    Future<ModelChoice> choose(String projectId, ModelSelector selector);

    /** The same models, whose requests are also charged to a flow or an agent. */
    default Models chargedTo(ModelSpender spender) {
        return this;
    }

    /** Cost of a request by the table of prices, in microdollars; empty for a model without a price. */
    default OptionalLong costMicros(ModelChoice choice, long inputTokens, long outputTokens) {
        return OptionalLong.empty();
    }

    /** Fails with QUOTA_EXCEEDED when the project's budget is exhausted. */
    Future<Void> checkBudget(String projectId);

    /**
     * Calls a model once. Fails with {@link ModelFailure}.
     *
     * @param timeoutMs longest time for the whole answer
     */
    Future<ModelResponse> ask(String projectId, ModelChoice choice, ModelRequest request, long timeoutMs);

    /**
     * Embedding model for a project's texts, of the provider that the platform uses for chats. Empty when there is no
     * such provider, or it has no such model.
     */
    Future<Optional<ModelChoice>> embedder(String projectId);

    /**
     * Computes vectors of some texts. Fails with {@link ModelFailure}.
     *
     * @param choice result of {@link #embedder}, current or earlier
     */
    Future<ModelVectors> embed(String projectId, ModelChoice choice, List<String> texts, long timeoutMs);

    /**
     * Variant of {@link #ask} that streams the text of the answer, if the provider supports it.
     *
     * @param listener receives the text, and may cancel the call
     */
    default Future<ModelResponse> askAloud(
            String projectId, ModelChoice choice, ModelRequest request, long timeoutMs, AnswerListener listener) {
        return ask(projectId, choice, request, timeoutMs);
    }

    /** Completes when the usage of all streamed calls of a project is recorded; their answers may have ended before. */
    default Future<Void> counted(String projectId) {
        return Future.succeededFuture();
    }

    /** Fails with {@link ModelFailure}. */
    Future<ModelImage> draw(String projectId, ModelChoice choice, ModelDrawing wanted, long timeoutMs);
}
