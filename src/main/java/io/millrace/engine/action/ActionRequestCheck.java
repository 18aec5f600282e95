package io.millrace.engine.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.secret.Hashes;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.sandbox.expression.ResolvedInput;
import io.millrace.workspace.connection.ConnectionUse;
import io.millrace.workspace.connection.Connections;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

final class ActionRequestCheck {
    private static final long DEADLINE_MS = 60_000;
    private static final String AUTH = "auth";

    /** Types of properties that take no value. */
    private static final Set<String> NOTES = Set.of("MARKDOWN");

    private static final String SECRET_TYPE = "SECRET_TEXT";

    /** Name of a connection inside an expression; excludes the characters that could end the expression. */
    private static final Pattern CONNECTION = Pattern.compile("[^'\\\\{}]{1,255}");

    private static final Pattern CONNECTION_EXPRESSION =
            Pattern.compile("\\{\\{ *connections\\[ *'[^'\\\\{}]{1,255}' *] *}}");

    private final Bus bus;

    ActionRequestCheck(Bus bus) {
        this.bus = bus;
    }

    /**
     * A valid request.
     *
     * @param input with the defaults of the action and the expression of the connection
     * @param shownInput as given, with credentials masked
     */
    record ValidRequest(String pieceVersion, ObjectNode input, ObjectNode shownInput) {}

    static String fingerprint(ActionRuns.Start ask) {
        var content = Json.object()
                .put("pieceName", ask.action().pieceName())
                .put("pieceVersion", ask.action().pieceVersion().orElse(null))
                .put("actionName", ask.action().name())
                .put("connection", ask.action().connection().orElse(null))
                .put("timeoutSeconds", ask.timeoutSeconds().orElse(null))
                .put("onCrash", ask.onCrash().name());
        content.set("input", ask.action().input());
        return Hashes.sha256Hex(new String(DeepJson.bytes(content), StandardCharsets.UTF_8));
    }

    Future<ValidRequest> checked(ActionRuns.Start ask) {
        var scope = PieceScope.of(ask.platformId());
        return provided(scope, ask)
                .compose(_ -> bus.ask(
                        new Pieces.Get(
                                scope, ask.action().pieceName(), ask.action().pieceVersion(), Optional.empty()),
                        DEADLINE_MS))
                .compose(piece -> checked(ask, piece));
    }

    private Future<Void> provided(PieceScope scope, ActionRuns.Start ask) {
        return ask.action()
                .pieceVersion()
                .map(version -> bus.ask(new Pieces.Provide(scope, ask.action().pieceName(), version), DEADLINE_MS)
                        .<Void>mapEmpty())
                .orElseGet(Future::succeededFuture);
    }

    private Future<ValidRequest> checked(ActionRuns.Start ask, ObjectNode piece) {
        var action = piece.path("actions").path(ask.action().name());
        if (!action.isObject()) {
            return Future.failedFuture(ApiException.notFound(
                    "action", piece.path("name").asText() + "." + ask.action().name()));
        }
        var props = action.path("props");
        var input = withDefaults(props, ask.action().input());
        var takesConnection =
                action.path("requireAuth").asBoolean() && !piece.path(AUTH).isEmpty();
        try {
            checkInput(ask, props, input, takesConnection);
        } catch (ApiException refused) {
            return Future.failedFuture(refused);
        }
        var checked = new ValidRequest(
                piece.path("version").asText(), input, shown(props, ask.action().input()));
        return ask.action()
                .connection()
                .map(name -> checkConnection(ask, name)
                        .map(_ -> new ValidRequest(
                                checked.pieceVersion(),
                                input.put(AUTH, "{{connections['" + name + "']}}"),
                                checked.shownInput())))
                .orElseGet(() -> Future.succeededFuture(checked));
    }

    private static ObjectNode withDefaults(JsonNode props, ObjectNode given) {
        var input = Json.object();
        props.properties().forEach(prop -> {
            if (prop.getValue().hasNonNull("defaultValue")) {
                input.set(prop.getKey(), prop.getValue().get("defaultValue"));
            }
        });
        input.setAll(given);
        return input;
    }

    private static void checkInput(ActionRuns.Start ask, JsonNode props, ObjectNode input, boolean takesConnection) {
        var body = Fields.of("body", Json.object());
        ask.action().input().properties().forEach(field -> {
            if (!field.getKey().equals(AUTH) && !props.has(field.getKey())) {
                body.refuse(
                        "input/" + field.getKey(),
                        "Unknown input of the action " + ask.action().name());
            }
        });
        props.properties().forEach(prop -> {
            var isRequired = prop.getValue().path("required").asBoolean()
                    && !NOTES.contains(prop.getValue().path("type").asText());
            if (isRequired && !input.hasNonNull(prop.getKey())) {
                body.refuse("input/" + prop.getKey(), "Required");
            }
        });
        ask.action()
                .connection()
                .filter(name -> !CONNECTION.matcher(name).matches())
                .ifPresent(_ ->
                        body.refuse("connectionExternalId", "Invalid string: expected no quote, backslash or brace"));
        if (takesConnection && ask.action().connection().isEmpty() && !input.hasNonNull(AUTH)) {
            body.refuse(
                    "connectionExternalId",
                    "Required: the piece " + ask.action().pieceName() + " needs a connection");
        }
        body.done();
    }

    private Future<Void> checkConnection(ActionRuns.Start ask, String name) {
        return bus.ask(new Connections.Use(ask.projectId(), Set.of(name)), DEADLINE_MS)
                .compose(uses -> usable(ask, name, uses));
    }

    /** A connection that is broken at present fails the action with its reason, as it does in a flow. */
    private static Future<Void> usable(ActionRuns.Start ask, String name, Map<String, ConnectionUse> uses) {
        var use = uses.get(name);
        if (use == null || use instanceof ConnectionUse.NotFound) {
            return Future.failedFuture(ApiException.notFound("connection", name));
        }
        return use instanceof ConnectionUse.Usable(var _, var pieceName)
                        && !pieceName.equals(ask.action().pieceName())
                ? Future.failedFuture(ApiException.of(
                        ErrorCode.VALIDATION,
                        "expected a connection of " + ask.action().pieceName() + ", but " + name + " is one of "
                                + pieceName))
                : Future.succeededFuture();
    }

    /** Masks credentials that the caller wrote into the input; references to connections stay readable. */
    private static ObjectNode shown(JsonNode props, ObjectNode given) {
        var shown = given.deepCopy();
        given.properties().forEach(field -> {
            var isSecret = field.getKey().equals(AUTH)
                    || props.path(field.getKey()).path("type").asText().equals(SECRET_TYPE);
            if (isSecret && !isReference(field.getValue())) {
                shown.put(field.getKey(), ResolvedInput.REDACTED);
            }
        });
        return shown;
    }

    private static boolean isReference(JsonNode value) {
        return value.isTextual()
                && CONNECTION_EXPRESSION.matcher(value.textValue()).matches();
    }
}
