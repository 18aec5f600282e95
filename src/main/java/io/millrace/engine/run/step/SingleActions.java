package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.PieceFinder;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.piece.Action;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceLog;
import io.millrace.piece.StepContext;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.input.PropertyProcessor;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.NoSteps;
import io.millrace.sandbox.expression.Secrets;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Executes an action without a flow: for tools that do one thing (seed, Limits: AP_FLOW_TIMEOUT_SECONDS bounds a single
 * action run too, and the limit of concurrent jobs does not cover it). Records nothing; secrets in messages of failures and in
 * the log are censored.
 */
public final class SingleActions {
    private final StepServices services;
    private final PieceFinder pieces;
    private final Duration timeout;
    private final InstantSource clock;

    public SingleActions(StepServices services, PieceFinder pieces, Duration timeout, InstantSource clock) {
        this.services = services;
        this.pieces = pieces;
        this.timeout = timeout;
        this.clock = clock;
    }

    /**
     * An action with its input, which may refer to connections and variables of the project.
     *
     * @param scope piece scope of the project's platform
     * @param pieceVersion exact
     */
    public record Parameters(
            PieceScope scope,
            String projectId,
            String pieceName,
            String pieceVersion,
            String actionName,
            ObjectNode input) {}

    /** The output of the action, on the current context. Fails with a PieceFailure when the action does. */
    public Future<JsonNode> run(Parameters request) {
        return run(request, Ids.next());
    }

    /** @param key the same for every attempt that may repeat the same effect */
    public Future<JsonNode> run(Parameters request, String key) {
        return run(request, key, request.input(), Json.object(), Fence.OPEN, timeout, new PieceLog());
    }

    /**
     * The same with a fence, a time limit and a log.
     *
     * @param fence permission of the action to send to the outside
     * @param longest time limit; the timeout of the server applies too
     * @param log receives the fields of a step's log before the result, also that of a failure
     */
    public Future<JsonNode> runWithin(
            Parameters request, String key, Fence fence, Duration longest, Consumer<ObjectNode> log) {
        var limit = longest.compareTo(timeout) < 0 ? longest : timeout;
        var lines = new PieceLog();
        return run(request, key, request.input(), Json.object(), fence, limit, lines)
                .onComplete(_ -> log.accept(fieldsOf(lines)));
    }

    private static ObjectNode fieldsOf(PieceLog log) {
        var fields = Json.object();
        StepConsole.of(log).writeTo(fields);
        return fields;
    }

    /**
     * The same without evaluation of the input: it has been evaluated already, or its author may not use expressions.
     *
     * @param connection names whose credentials the action uses; empty for none
     * @param fence permission of the action to send to the outside
     */
    public Future<JsonNode> runPlain(Parameters request, Optional<String> connection, String key, Fence fence) {
        var evaluated = Json.object();
        connection.ifPresent(name -> evaluated.put("auth", "{{connections['" + name + "']}}"));
        return run(request, key, evaluated, request.input(), fence, timeout, new PieceLog());
    }

    private Future<JsonNode> run(
            Parameters request,
            String key,
            ObjectNode evaluated,
            ObjectNode plain,
            Fence fence,
            Duration limit,
            PieceLog log) {
        var piece = pieces.find(request.scope(), request.pieceName(), request.pieceVersion());
        var action = piece.map(found -> found.actions().get(request.actionName()));
        if (action.isEmpty()) {
            return Future.failedFuture(PieceFailure.of("Expected an action of " + request.pieceName() + " "
                    + request.pieceVersion() + ", found none named " + request.actionName()));
        }
        var run = props(
                        request,
                        evaluated,
                        plain,
                        action.get(),
                        piece.get().spec().auth(),
                        log)
                .compose(props ->
                        action.get().run(new SingleStepContext(request, key, props, services, limit, fence, log)))
                .map(output -> output == null ? NullNode.instance : output)
                .recover(cause -> Future.failedFuture(log.censored(cause)));
        return run.isComplete() ? run : run.timeout(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Context for an action whose input needs no evaluation.
     *
     * @param longest timeout of the action
     */
    public StepContext surroundings(Parameters request, String key, Duration longest) {
        return new SingleStepContext(request, key, request.input(), services, longest, Fence.OPEN, new PieceLog());
    }

    private Future<ObjectNode> props(
            Parameters request, ObjectNode evaluated, ObjectNode kept, Action action, JsonNode auth, PieceLog log) {
        var plain = PropertyProcessor.compile(action.spec().props());
        var processor = action.spec().requireAuth() ? plain.withAuth(auth) : plain;
        var template = InputTemplate.compile(evaluated);
        var needs = template.needs();
        var secrets = needs.hasSecrets()
                ? services.secrets(request.projectId(), needs.connectionNames(), needs.variableNames())
                : Future.succeededFuture(Secrets.NONE);
        return secrets.map(loaded -> loaded.usedBy(request.pieceName()))
                .onSuccess(log::uses)
                .map(loaded -> action.takesBareSecrets() ? loaded.unwrapped() : loaded)
                .map(loaded -> template.resolve(new NoSteps(clock, ThreadLocalRandom.current(), loaded))
                                instanceof ObjectNode object
                        ? kept.deepCopy().<ObjectNode>setAll(object)
                        : Json.object())
                .recover(cause -> Future.failedFuture(
                        cause instanceof ExpressionFailure failure
                                ? PieceFailure.named(failure.errorName(), failure.getMessage())
                                : cause))
                .compose(input -> processor
                        .apply(input, services.files())
                        .onSuccess(props -> log.warn(processor.dropped(input, props))));
    }
}
