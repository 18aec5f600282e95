package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.Waitpoint;
import io.millrace.piece.input.DateParser;
import io.millrace.sandbox.node.call.ReverseCalls;
import io.millrace.sandbox.node.call.ReverseFailure;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Handles callbacks of a running action (contract pieces 4.1, 9). */
final class StepQuestions implements ReverseCalls {
    /** Failures of 11.4 that are caused by the server. */
    private static final Set<String> ENGINE_ERRORS = Set.of("StorageError", "FileStoreError", "FetchError");

    private final NpmHost host;
    private final String pieceName;
    private final StepContext step;
    private final Map<String, Waitpoint> waitpoints = new HashMap<>();

    StepQuestions(NpmHost host, String pieceName, StepContext step) {
        this.host = host;
        this.pieceName = pieceName;
        this.step = step;
    }

    @Override
    public Future<JsonNode> ask(String method, ObjectNode params, Path exchange) {
        return answer(method, params, exchange).recover(StepQuestions::refused);
    }

    private Future<JsonNode> answer(String method, ObjectNode params, Path exchange) {
        return switch (method) {
            case "store.get" -> step.storeGet(scope(params), key(params)).map(value -> value.orElse(null));
            case "store.put" ->
                step.storePut(scope(params), key(params), params.path("value")).mapEmpty();
            case "store.delete" -> step.storeDelete(scope(params), key(params)).mapEmpty();
            case "files.write" ->
                FileMarkers.contents(host.vertx(), params, exchange, host.fileBytesMax())
                        .compose(data -> step.writeFile(params.path("fileName").asText(), data))
                        .map(TextNode::valueOf);
            case "run.createWaitpoint" -> createWaitpoint(params);
            case "connections.get" -> connection(params.path("externalId").asText());
            case "output.update" -> {
                step.progressed(params.path("data"));
                yield Future.succeededFuture(null);
            }
            default -> ofProject(host, step.projectId(), pieceName, method, params);
        };
    }

    private Future<JsonNode> createWaitpoint(ObjectNode params) {
        return step.createWaitpoint(wanted(params)).map(made -> {
            waitpoints.put(made.id(), made);
            return Json.object().put("id", made.id()).put("resumeUrl", made.resumeUrl());
        });
    }

    /** Accepts a date as ISO or RFC 1123 text (contract pieces 4.2). */
    private static Waitpoint.Request wanted(ObjectNode params) {
        if (!params.path("type").asText().equals("DELAY")) {
            return params.path("version").asText().equals("V0")
                    ? Waitpoint.Request.callOfRun()
                    : Waitpoint.Request.call();
        }
        return DateParser.parse(params.path("resumeDateTime"))
                .map(Waitpoint.Request::until)
                .orElseThrow(() -> PieceFailure.of("A pause of the kind DELAY needs a resumeDateTime"));
    }

    Waitpoint waitpoint(String id) {
        var made = waitpoints.get(id);
        if (made == null) {
            throw PieceFailure.of("A step can wait only for a waitpoint that it created");
        }
        return made;
    }

    private Future<JsonNode> connection(String externalId) {
        return step.connection(externalId).recover(StepQuestions::absent);
    }

    /** A missing connection is answered as absent; a broken connection fails the call. */
    private static Future<JsonNode> absent(Throwable cause) {
        return cause instanceof PieceFailure failure
                        && failure.details().path("errorName").asText().equals("ConnectionNotFound")
                ? Future.succeededFuture(null)
                : Future.failedFuture(cause);
    }

    /** Questions available to every kind of call. */
    static Future<JsonNode> ofProject(
            NpmHost host, String projectId, String pieceName, String method, ObjectNode params) {
        return switch (method) {
            case "connections.get" ->
                host.world()
                        .connection(
                                projectId, pieceName, params.path("externalId").asText())
                        .recover(StepQuestions::absent);
            case "flows.list" -> host.world().flows(projectId, texts(params.path("externalIds")));
            case "project.externalId" ->
                host.world()
                        .projectExternalId(projectId)
                        .map(id -> id.<JsonNode>map(TextNode::valueOf).orElse(null));
            default -> Future.failedFuture(new ReverseFailure("EngineError", method + " is not available here", true));
        };
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    static StepContext.StoreScope scope(ObjectNode params) {
        return params.path("scope").asText().equals("COLLECTION")
                ? StepContext.StoreScope.COLLECTION
                : StepContext.StoreScope.FLOW;
    }

    static String key(ObjectNode params) {
        return params.path("key").asText();
    }

    /** Maps a failure to the package's error format. */
    static <T> Future<T> refused(Throwable cause) {
        return Future.failedFuture(
                switch (cause) {
                    case PieceFailure refusal -> {
                        var name = refusal.details().path("errorName").asText("Error");
                        yield new ReverseFailure(name, refusal.getMessage(), ENGINE_ERRORS.contains(name));
                    }
                    case PieceCrash broke -> new ReverseFailure("EngineError", broke.getMessage(), true);
                    default -> cause;
                });
    }
}
