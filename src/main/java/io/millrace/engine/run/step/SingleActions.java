package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.PieceFinder;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.piece.Action;
import io.millrace.piece.PieceFailure;
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

/**
 * Executes an action without a flow: for tools that do one thing (seed, Limits: AP_FLOW_TIMEOUT_SECONDS bounds a single
 * action run too, and the limit of concurrent jobs does not cover it). It is not recorded as a run.
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
    public Future<JsonNode> run(Parameters wish) {
        return run(wish, Ids.next());
    }

    /** @param key the same for every attempt that may repeat the same effect */
    public Future<JsonNode> run(Parameters wish, String key) {
        return run(wish, key, wish.input(), Json.object(), Fence.OPEN);
    }

    /**
     * The same without evaluation of the input: it has been evaluated already, or its author may not use expressions.
     *
     * @param connection names whose credentials the action uses; empty for none
     * @param fence permission of the action to send to the outside
     */
    public Future<JsonNode> runPlain(Parameters wish, Optional<String> connection, String key, Fence fence) {
        var evaluated = Json.object();
        connection.ifPresent(name -> evaluated.put("auth", "{{connections['" + name + "']}}"));
        return run(wish, key, evaluated, wish.input(), fence);
    }

    private Future<JsonNode> run(Parameters wish, String key, ObjectNode evaluated, ObjectNode plain, Fence fence) {
        var piece = pieces.find(wish.scope(), wish.pieceName(), wish.pieceVersion());
        var action = piece.map(found -> found.actions().get(wish.actionName()));
        if (action.isEmpty()) {
            return Future.failedFuture(PieceFailure.of("Expected an action of " + wish.pieceName() + " "
                    + wish.pieceVersion() + ", found none named " + wish.actionName()));
        }
        var run = props(wish, evaluated, plain, action.get(), piece.get().spec().auth())
                .compose(props -> action.get().run(new SingleStepContext(wish, key, props, services, timeout, fence)))
                .map(output -> output == null ? NullNode.instance : output);
        return run.isComplete() ? run : run.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Context for an action whose input needs no evaluation.
     *
     * @param longest timeout of the action
     */
    public StepContext surroundings(Parameters wish, String key, Duration longest) {
        return new SingleStepContext(wish, key, wish.input(), services, longest, Fence.OPEN);
    }

    private Future<ObjectNode> props(
            Parameters wish, ObjectNode evaluated, ObjectNode kept, Action action, JsonNode auth) {
        var plain = PropertyProcessor.compile(action.spec().props());
        var processor = action.spec().requireAuth() ? plain.withAuth(auth) : plain;
        var template = InputTemplate.compile(evaluated);
        var needs = template.needs();
        var secrets = needs.hasSecrets()
                ? services.secrets(wish.projectId(), needs.connectionNames(), needs.variableNames())
                : Future.succeededFuture(Secrets.NONE);
        return secrets.map(loaded -> loaded.usedBy(wish.pieceName()))
                .map(loaded -> action.takesBareSecrets() ? loaded.unwrapped() : loaded)
                .map(loaded -> template.resolve(new NoSteps(clock, ThreadLocalRandom.current(), loaded))
                                instanceof ObjectNode object
                        ? kept.deepCopy().<ObjectNode>setAll(object)
                        : Json.object())
                .recover(cause -> Future.failedFuture(
                        cause instanceof ExpressionFailure failure
                                ? PieceFailure.named(failure.errorName(), failure.getMessage())
                                : cause))
                .compose(input -> processor.apply(input, services.files()));
    }
}
