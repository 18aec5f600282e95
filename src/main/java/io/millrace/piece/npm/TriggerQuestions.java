package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.TriggerContext;
import io.millrace.sandbox.node.call.ReverseCalls;
import io.vertx.core.Future;
import java.nio.file.Path;

/** Handles callbacks of a trigger's hook (contract pieces 4.1, 9). */
final class TriggerQuestions implements ReverseCalls {
    private final NpmHost host;
    private final String pieceName;
    private final TriggerContext trigger;

    TriggerQuestions(NpmHost host, String pieceName, TriggerContext trigger) {
        this.host = host;
        this.pieceName = pieceName;
        this.trigger = trigger;
    }

    @Override
    public Future<JsonNode> ask(String method, ObjectNode params, Path exchange) {
        return answer(method, params, exchange).recover(StepQuestions::refused);
    }

    private Future<JsonNode> answer(String method, ObjectNode params, Path exchange) {
        return switch (method) {
            case "store.get" ->
                trigger.storeGet(StepQuestions.scope(params), StepQuestions.key(params))
                        .map(value -> value.orElse(null));
            case "store.put" ->
                trigger.storePut(StepQuestions.scope(params), StepQuestions.key(params), params.path("value"))
                        .mapEmpty();
            case "store.delete" ->
                trigger.storeDelete(StepQuestions.scope(params), StepQuestions.key(params))
                        .mapEmpty();
            case "files.write" ->
                FileMarkers.contents(host.vertx(), params, exchange, host.fileBytesMax())
                        .compose(data ->
                                trigger.writeFile(params.path("fileName").asText(), data))
                        .map(TextNode::valueOf);
            default -> StepQuestions.ofProject(host, trigger.projectId(), pieceName, method, params);
        };
    }
}
