package io.millrace.piece.builtin.ai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.StepContext;
import io.millrace.piece.StepContext.StoreScope;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelRequest.ToolUse;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Sends a prompt to a model, and stores the conversation if it has a key (contract agents 3.2). */
record AskAi(Models models) implements Action {
    private static final String KEY = "ask-ai-conversation:";
    private static final double CREATIVITY_MAX = 100;

    private static final ActionSpec SPEC = ModelProps.spec(
            "askAi",
            "Ask AI",
            "Sends a prompt to a model and returns its text.",
            Props.of(
                    ModelProps.PROVIDER_PROP,
                    ModelProps.MODEL_PROP,
                    Props.named("prompt", Props.longText("Prompt", true)),
                    Props.named(
                            "conversationKey",
                            Props.shortText("Conversation Key", false)
                                    .describedAs("Questions with the same key are one conversation.")),
                    Props.named(
                            "creativity",
                            Props.number("Creativity", false).describedAs("0: deterministic, 100: creative.")),
                    ModelProps.OUTPUT_PROP,
                    Props.named("webSearch", Props.checkbox("Web Search", false).defaultingTo(BooleanNode.FALSE)),
                    Props.named("webSearchOptions", Props.object("Web Search Options", false))));

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        var props = context.props();
        var key = Optional.of(props.path("conversationKey").asText("")).filter(text -> !text.isBlank());
        return key.map(name -> context.storeGet(StoreScope.FLOW, KEY + name))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .map(stored -> stored.filter(JsonNode::isArray)
                        .map(history -> (ArrayNode) history.deepCopy())
                        .orElseGet(Json::array))
                .compose(history -> ask(context, history))
                .compose(exchange -> key.map(
                                name -> context.storePut(StoreScope.FLOW, KEY + name, exchange.conversation()))
                        .orElseGet(Future::succeededFuture)
                        .map(exchange.answer()));
    }

    record Exchange(JsonNode answer, ArrayNode conversation) {}

    /** @param history messages of the conversation; the question and the answer are appended */
    Future<Exchange> ask(StepContext context, ArrayNode history) {
        var props = context.props();
        var prompt = ModelProps.text(props, "prompt");
        return ModelProps.ask(models, context, request(props, history, prompt))
                .map(answer -> new Exchange(output(props, answer), longer(history, prompt, answer)));
    }

    private static ModelRequest request(ObjectNode props, ArrayNode history, String prompt) {
        var messages = new ArrayList<ModelMessage>();
        history.forEach(entry -> {
            var text = entry.path("content").asText("");
            messages.add(
                    entry.path("role").asText().equals("assistant")
                            ? new ModelMessage.AssistantMessage(text, List.of(), null)
                            : new ModelMessage.UserMessage(text));
        });
        messages.add(new ModelMessage.UserMessage(prompt));
        var creativity = props.path("creativity");
        var request = new ModelRequest(
                "",
                messages,
                List.of(),
                new ToolUse.Free(),
                OptionalInt.of(ModelProps.outputTokens(props)),
                creativity.isNumber()
                        ? OptionalDouble.of(Math.clamp(creativity.asDouble(), 0, CREATIVITY_MAX) / CREATIVITY_MAX)
                        : OptionalDouble.empty(),
                Optional.empty());
        return props.path("webSearch").asBoolean(false) ? request.withWebSearch(options(props)) : request;
    }

    private static ObjectNode options(ObjectNode props) {
        return props.path("webSearchOptions") instanceof ObjectNode given ? given : Json.object();
    }

    private static ArrayNode longer(ArrayNode history, String prompt, ModelResponse answer) {
        history.addObject().put("role", "user").put("content", prompt);
        history.addObject().put("role", "assistant").put("content", answer.text());
        return history;
    }

    private static JsonNode output(ObjectNode props, ModelResponse answer) {
        if (!props.path("webSearch").asBoolean(false)
                || !options(props).path("includeSources").asBoolean(false)) {
            return TextNode.valueOf(answer.text());
        }
        var output = Json.object().put("text", answer.text());
        var sources = output.putArray("sources");
        answer.sources().forEach(sources::add);
        return output;
    }
}
