package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

final class NpmAction implements Action {
    private final NpmHost host;
    private final NpmHost.Target target;
    private final ActionSpec spec;
    private final boolean takesBareSecrets;

    NpmAction(NpmHost host, NpmHost.Target target, ActionSpec spec, boolean takesBareSecrets) {
        this.host = host;
        this.target = target;
        this.spec = spec;
        this.takesBareSecrets = takesBareSecrets;
    }

    @Override
    public boolean takesBareSecrets() {
        return takesBareSecrets;
    }

    @Override
    public ActionSpec spec() {
        return spec;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        return call(context, false);
    }

    @Override
    public Future<JsonNode> test(StepContext context) {
        return call(context, true);
    }

    private Future<JsonNode> call(StepContext context, boolean test) {
        var files = new FileMarkers(host.vertx(), host.exchange(target));
        var questions = new StepQuestions(host, target.id().name(), context);
        var auth = context.auth().orElse(null);
        return files.marked(context.props().deepCopy().without("auth"))
                .compose(props -> host.call(
                        target,
                        NodeCall.Urgency.RUN,
                        frame(context, props, auth, test),
                        questions,
                        Math.max(1, context.remainingMs()),
                        context.fence()))
                .compose(running -> {
                    context.whenCancelled(running.call()::cancel);
                    running.call()
                            .result()
                            .map(result -> CallLog.of(result, "input", context.props()))
                            .onSuccess(log -> context.wrote(log.printed().standardOutput(), log.standardError()));
                    return running.returned(target.id(), Censor.of(auth));
                })
                .map(returned -> taken(returned, context, questions))
                .eventually(() -> {
                    files.remove();
                    return Future.succeededFuture();
                });
    }

    private ObjectNode frame(StepContext context, JsonNode props, JsonNode auth, boolean test) {
        var runtime = host.runtime(context.projectId(), context.flowId(), context.flowVersionId(), context.runId());
        var frame = host.frame(target, "action", runtime)
                .put("action", spec.name())
                .put("stepName", context.stepName())
                .put("executionType", context.resumePayload().isPresent() ? "RESUME" : "BEGIN")
                .put("test", test);
        context.resumePayload().ifPresent(payload -> frame.set("resumePayload", payload));
        resumeUrl(context).ifPresent(url -> frame.put("resumeUrl", url));
        frame.set("props", props);
        if (auth != null) {
            frame.set("auth", auth);
        }
        return frame;
    }

    /** Base of resume links in older pieces; empty for a step test, which has no run to resume. */
    private static Optional<String> resumeUrl(StepContext context) {
        try {
            return Optional.of(context.resumeUrl(Map.of(), false));
        } catch (PieceFailure cannotWait) {
            return Optional.empty();
        }
    }

    /** The output after processing of the side results (contract pieces 4.3). */
    private static JsonNode taken(NodeResult.Returned returned, StepContext context, StepQuestions questions) {
        var hooks = returned.hooks();
        hooks.path("tags").forEach(tag -> context.tag(tag.asText()));
        switch (hooks.path("type").asText()) {
            case "stopped" -> context.stop(Answers.read(hooks.path("response")));
            case "respond" -> context.respond(Answers.read(hooks.path("response")));
            case "paused" ->
                context.waitFor(
                        questions.waitpoint(hooks.path("waitpointId").asText()),
                        hooks.has("responseToSend")
                                ? Optional.of(Answers.read(hooks.get("responseToSend")))
                                : Optional.empty());
            default -> {
                // Most calls have no side results.
            }
        }
        return returned.value();
    }
}
