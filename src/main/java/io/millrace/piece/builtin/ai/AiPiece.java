package io.millrace.piece.builtin.ai;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.piece.AgentRuns;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComposedPiece;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.model.ModelSelector;
import io.millrace.piece.model.Models;
import io.millrace.piece.property.OptionsQuestion;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;

/** AI (contract agents 3): calls models of the platform's providers, and runs agents for a flow. */
public final class AiPiece implements ComposedPiece {
    public static final String NAME = "@activepieces/piece-ai";
    public static final String VERSION = "0.1.12";

    private final Models models;
    private final Piece parts;

    public AiPiece(Models models, AgentRuns agents, InstantSource clock) {
        this.models = models;
        this.parts = BuiltinPiece.of(
                BuiltinPiece.spec(
                        "ai",
                        "AI",
                        "Calls language models and runs agents.",
                        "ai.svg",
                        List.of(PieceCategory.ARTIFICIAL_INTELLIGENCE, PieceCategory.UNIVERSAL_AI),
                        List.of(VERSION)),
                List.of(
                        new AskAi(models),
                        new SummarizeText(models),
                        new ClassifyText(models),
                        new ExtractData(models),
                        new GenerateImage(models),
                        new RunAgent(agents, clock)),
                List.of());
    }

    @Override
    public Piece parts() {
        return parts;
    }

    @Override
    public Future<ObjectNode> options(OptionsQuestion question) {
        return switch (question.property()) {
            case ModelProps.PROVIDER -> providers(question);
            case ModelProps.MODEL -> offered(question);
            case String _ -> ComposedPiece.super.options(question);
        };
    }

    private Future<ObjectNode> providers(OptionsQuestion question) {
        return models.providers(question.projectId())
                .map(found -> found.isEmpty()
                        ? disabled("Ask an administrator to add an AI provider first")
                        : question.dropDown(found.stream()
                                .map(one -> new Property.Option(
                                        one.name(),
                                        Json.object()
                                                .put("provider", one.provider())
                                                .put("configId", one.id())))
                                .toList()));
    }

    private Future<ObjectNode> offered(OptionsQuestion question) {
        var selector = ModelSelector.of(question.input().path(ModelProps.PROVIDER), "");
        if (selector.provider().isEmpty()) {
            return Future.succeededFuture(disabled("Choose a provider first"));
        }
        var type = question.step().equals(GenerateImage.NAME) ? "image" : "text";
        return models.offered(question.projectId(), selector.provider().get())
                .map(found -> question.dropDown(found.valueStream()
                        .filter(model -> model.path("type").asText().equals(type))
                        .map(model -> new Property.Option(
                                model.path("name").asText(),
                                TextNode.valueOf(model.path("id").asText())))
                        .toList()))
                .recover(failure -> failure instanceof ApiException refused
                        ? Future.succeededFuture(disabled(refused.text()))
                        : Future.failedFuture(failure));
    }

    private static ObjectNode disabled(String why) {
        var answer = Json.object().put("type", PropertyType.DROPDOWN.name());
        answer.putObject("options")
                .put("disabled", true)
                .put("placeholder", why)
                .putArray("options");
        return answer;
    }
}
