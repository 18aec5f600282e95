package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.AppEvents;
import io.millrace.piece.IssuedToken;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.property.OptionsQuestion;
import io.millrace.sandbox.node.call.NodeCall;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** An installed package as a piece. Immutable; its code runs in a separate process. */
final class NpmPiece implements Piece {
    /** Limit for calls on behalf of an editor or of the form of a connection, in which a user waits. */
    private static final long QUESTION_MS_MAX = 25_000;

    private static final int REASON_CHARACTERS_MAX = 300;

    private final InstalledPiece installed;
    private final NpmHost host;
    private final NpmHost.Target target;
    private final PieceSpec spec;
    private final boolean takesBareSecrets;
    private final Map<String, Action> actions;
    private final Map<String, PieceTrigger> triggers;

    NpmPiece(InstalledPiece installed, NpmHost host, Supplier<Future<Void>> restore) {
        this.installed = installed;
        this.host = host;
        this.target = new NpmHost.Target(installed.group(), installed.packageId(), installed.integrity(), restore);
        this.spec = NpmDefinitions.spec(installed.packageId(), installed.metadata());
        this.takesBareSecrets = NpmDefinitions.isOldest(installed.metadata());
        var foundActions = new LinkedHashMap<String, Action>();
        installed
                .metadata()
                .path("actions")
                .properties()
                .forEach(entry -> foundActions.put(
                        entry.getKey(),
                        new NpmAction(
                                host,
                                target,
                                NpmDefinitions.action(entry.getKey(), entry.getValue()),
                                takesBareSecrets)));
        var foundTriggers = new LinkedHashMap<String, PieceTrigger>();
        installed
                .metadata()
                .path("triggers")
                .properties()
                .forEach(entry -> foundTriggers.put(
                        entry.getKey(),
                        NpmTrigger.of(host, target, entry.getKey(), entry.getValue(), takesBareSecrets)));
        this.actions = Collections.unmodifiableMap(foundActions);
        this.triggers = Collections.unmodifiableMap(foundTriggers);
    }

    InstalledPiece installed() {
        return installed;
    }

    @Override
    public PieceSpec spec() {
        return spec;
    }

    @Override
    public Map<String, Action> actions() {
        return actions;
    }

    @Override
    public Map<String, PieceTrigger> triggers() {
        return triggers;
    }

    /** A package does not declare whether it parses events; only a trigger that subscribes to them needs it. */
    @Override
    public Optional<AppEvents> appEvents() {
        return triggers.values().stream()
                        .anyMatch(trigger -> trigger.spec().strategy() == TriggerSpec.Strategy.APP_WEBHOOK)
                ? Optional.of(new NpmAppEvents(host, target))
                : Optional.empty();
    }

    @Override
    public Optional<String> platformId() {
        return installed.platformId();
    }

    @Override
    public Future<Optional<String>> trouble() {
        return host.trouble();
    }

    @Override
    public Instant created() {
        return installed.created();
    }

    @Override
    public Instant updated() {
        return installed.updated();
    }

    /** Complete description of the package with the fields of the server (contract pieces 2.2). */
    @Override
    public ObjectNode describe(String version) {
        var description = PackageDescription.of(
                new PackageDescription.Label(installed.id(), installed.created(), installed.updated(), version),
                spec,
                installed.metadata());
        description
                .put("pieceType", installed.platformId().isPresent() ? "CUSTOM" : "OFFICIAL")
                .put("packageType", installed.packageType().name());
        installed.platformId().ifPresent(id -> description.put("platformId", id));
        if (installed.packageType() == InstalledPiece.PackageType.ARCHIVE) {
            description.put("archiveId", installed.id());
        }
        return description;
    }

    @Override
    public Future<ObjectNode> options(OptionsQuestion question) {
        if (typeOf(question).isEmpty()) {
            return Future.failedFuture(ApiException.notFound("property", question.step() + "." + question.property()));
        }
        return host.world()
                .resolved(question.projectId(), target.id().name(), question.input(), takesBareSecrets)
                .compose(input -> ask(optionsFrame(question, input), input.get("auth"), question.projectId()))
                .map(options -> options == null ? Json.object() : options)
                .recover(failure -> Future.succeededFuture(noChoices(failure)))
                .map(options -> {
                    var answer = Json.object();
                    answer.set("options", options);
                    return answer.put("type", typeOf(question));
                });
    }

    @Override
    public Future<Optional<String>> validate(ObjectNode value, Optional<String> projectId) {
        var frame = host.frame(target, "validate", host.runtime(projectId.orElse(null), null, null, null));
        frame.set("auth", value);
        return ask(frame, value, "").map(NpmPiece::objection);
    }

    @Override
    public Future<Optional<IssuedToken>> issueToken(ObjectNode value, Optional<String> projectId) {
        var definition = TokenDefinition.of(spec.auth(), value);
        if (definition.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        var frame = host.frame(target, "refresh", host.runtime(projectId.orElse(null), null, null, null));
        frame.set("auth", value);
        return ask(frame, value, "").map(answer -> Optional.of(definition.get().read(answer)));
    }

    private static Optional<String> objection(JsonNode verdict) {
        return verdict == null || verdict.path("valid").asBoolean(true)
                ? Optional.empty()
                : Optional.of(verdict.path("error").asText("the piece does not accept these credentials"));
    }

    private ObjectNode optionsFrame(OptionsQuestion question, ObjectNode input) {
        var runtime = host.runtime(question.projectId(), question.flowId(), question.flowVersionId(), null);
        var frame = host.frame(target, "options", runtime)
                .put("step", question.step())
                .put("stepName", question.step())
                .put("property", question.property());
        question.searchValue().ifPresent(text -> frame.put("searchValue", text));
        frame.set("input", input.deepCopy().without("auth"));
        if (input.has("auth")) {
            frame.set("auth", input.get("auth"));
        }
        return frame;
    }

    /** Message with instructions for the user (contract pieces 3). */
    private static JsonNode noChoices(Throwable failure) {
        var state = Json.object().put("disabled", true);
        state.putArray("options");
        var reason = failure instanceof PieceFailure || failure instanceof PieceCrash ? reasonOf(failure) : "";
        return state.put(
                "placeholder", "The choices could not be loaded: " + reason + "check the connection, or refresh.");
    }

    /** Error message of the piece as one line, without the secrets of the connection (see {@link Censor}). */
    private static String reasonOf(Throwable failure) {
        var said = String.valueOf(failure.getMessage()).strip().replaceAll("\\s+", " ");
        return CutText.marked(said, REASON_CHARACTERS_MAX, "…") + "; ";
    }

    private String typeOf(OptionsQuestion question) {
        var parts = actions.containsKey(question.step()) ? "actions" : "triggers";
        return installed
                .metadata()
                .path(parts)
                .path(question.step())
                .path("props")
                .path(question.property())
                .path("type")
                .asText();
    }

    private Future<JsonNode> ask(ObjectNode frame, JsonNode auth, String projectId) {
        return host.call(
                        target,
                        NodeCall.Urgency.META,
                        frame,
                        (method, params, _) -> StepQuestions.ofProject(
                                        host, projectId, target.id().name(), method, params)
                                .recover(StepQuestions::refused),
                        QUESTION_MS_MAX)
                .compose(running -> running.returned(target.id(), Censor.of(auth)))
                .map(returned -> returned.value());
    }
}
