package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.ApiCall;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.webhook.Webhooks.Variant;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Dry runs of webhook calls (decision 0430). The routes are public, so a dry run is a request with both {@code dryRun} and a
 * bearer token. Its caller needs the permission of a manual start; a request that is refused starts no run either.
 */
final class WebhookDryRuns {
    private static final String PARAMETER = "dryRun";
    private static final String TRUE = "true";
    private static final String FALSE = "false";
    private static final String AUTHORIZATION = "authorization";

    /** The scheme in any case, also with an empty token: a variable that is not set must not start a run. */
    private static final Pattern BEARER = Pattern.compile("bearer(?: |$)", Pattern.CASE_INSENSITIVE);

    static final Access ACCESS = Access.projectOfRow("flowId", Permission.WRITE_RUN, Flows.ProjectOf::new);

    private final Bus bus;

    WebhookDryRuns(Bus bus) {
        this.bus = bus;
    }

    /** Returns true unless the value is {@code false}: a value that is neither true nor false must not start a run. */
    static boolean isAsked(HttpServerRequest request, Variant variant) {
        var authorization = request.headers().get(HttpHeaders.AUTHORIZATION);
        return variant != Variant.TEST
                && authorization != null
                && BEARER.matcher(authorization).lookingAt()
                && request.query() != null
                && !valueIn(request).orElse(FALSE).equals(FALSE);
    }

    private static Optional<String> valueIn(HttpServerRequest request) {
        return Optional.ofNullable(Envelope.query(request).get(PARAMETER)).map(JsonNode::asText);
    }

    static void checkValue(HttpServerRequest request) {
        if (!valueIn(request).orElse(FALSE).equals(TRUE)) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "querystring/dryRun Invalid string: must match pattern /true|false/ in a request with a bearer"
                            + " token");
        }
    }

    Future<ObjectNode> rehearse(ApiCall call, String flowId, Variant variant, PayloadReader.Payload read) {
        if (!read.uploads().isEmpty()) {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "expected an event without files: a dry run stores none; send the trigger's output with the"
                            + " addresses of files to POST /v1/flow-runs?dryRun=true");
        }
        var event = eventOf(read.payload());
        return bus.ask(
                new RunCommands.RehearseWebhook(call.projectId(), flowId, !variant.needsEnabled(), event),
                call.deadlineMs());
    }

    /** The event without what only the dry run has: the parameter, and the token of the caller. */
    private static ObjectNode eventOf(ObjectNode payload) {
        if (payload.get("headers") instanceof ObjectNode headers) {
            headers.remove(AUTHORIZATION);
        }
        if (payload.get("queryParams") instanceof ObjectNode query) {
            query.remove(PARAMETER);
        }
        return payload;
    }
}
