package io.millrace.piece.builtin.ai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.StepContext;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Actions that call a model once, for packages that delegate the call to the server (contract agents 3.1). */
public final class AiActions {
    private final AskAi ask;
    private final Map<String, Action> others;

    public AiActions(Models models) {
        ask = new AskAi(models);
        others = List.<Action>of(
                        new SummarizeText(models),
                        new ClassifyText(models),
                        new ExtractData(models),
                        new GenerateImage(models))
                .stream()
                .collect(Collectors.toUnmodifiableMap(action -> action.spec().name(), Function.identity()));
    }

    /**
     * Result of an AI action.
     *
     * @param conversation with this question and its answer; empty when no conversation is kept
     */
    public record Answer(JsonNode answer, Optional<ArrayNode> conversation) {}

    public boolean knows(String name) {
        return name.equals(ask.spec().name()) || others.containsKey(name);
    }

    /**
     * Performs an action. Fails with a PieceFailure that describes the error.
     *
     * @param name known name of an action
     * @param conversation so far; empty when no conversation is kept
     */
    public Future<Answer> perform(String name, StepContext context, Optional<ArrayNode> conversation) {
        return Future.succeededFuture().compose(_ -> {
            var other = others.get(name);
            return other == null
                    ? ask.ask(context, conversation.orElseGet(Json::array))
                            .map(exchange ->
                                    new Answer(exchange.answer(), conversation.map(_ -> exchange.conversation())))
                    : other.run(context).map(answer -> new Answer(answer, Optional.empty()));
        });
    }
}
