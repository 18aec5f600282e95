package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.trace.TraceContext;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.ApiMessage;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.vertx.core.Future;
import java.util.Base64;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Sends one HTTP request and returns {@code {status, headers, body}} (contract pieces 14.4).
 *
 * <p>A response of 400 and more is a failure, and so is a missing response; the failure mode selects the result, after
 * at most three attempts. The guarded client decides whether the address is permitted.
 */
final class SendRequest implements Action {
    static final String NAME = "send_request";

    /** Status of a request that got no response; the published client reports it so. */
    private static final int STATUS_OF_NO_RESPONSE = 500;

    private static final long FIRST_WAIT_MS = 1000;
    private static final int SHOWN_BODY_LENGTH_MAX = 16_000;

    private static final String UNDECODED = "expected text in the charset of content-type, of its byte order mark or"
            + " declaration, or in UTF-8; found other bytes, which are kept as a file";

    static final ActionSpec SPEC = new ActionSpec(
            NAME, "Send HTTP request", "Send HTTP request", SendRequestProperties.all(), true, false, false);

    private final OutboundHttp http;
    private final ActionSpec spec;
    private final UnaryOperator<ObjectNode> translated;

    SendRequest(OutboundHttp http) {
        this(http, SPEC, UnaryOperator.identity());
    }

    /**
     * A request that is described otherwise.
     *
     * @param translated the input of such a step as the input of this one
     */
    SendRequest(OutboundHttp http, ActionSpec spec, UnaryOperator<ObjectNode> translated) {
        this.http = http;
        this.spec = spec;
        this.translated = translated;
    }

    @Override
    public ActionSpec spec() {
        return spec;
    }

    private record Ask(StepContext context, ObjectNode input, HttpCall call) {}

    @Override
    public Future<JsonNode> run(StepContext context) {
        return Future.succeededFuture(context.props())
                .map(translated)
                .map(input -> new Ask(context, input, HttpCall.of(input, context.idempotencyKey())))
                .compose(ask -> attempt(ask, 1));
    }

    private Future<JsonNode> attempt(Ask ask, int tries) {
        var timeoutMs = Math.min(
                ask.call().timeoutMs().orElse(Long.MAX_VALUE), ask.context().remainingMs());
        return http.fencedBy(ask.context()::fence)
                .send(traced(ask).withTimeoutMs(timeoutMs))
                .map(Outcome::of)
                .recover(SendRequest::unanswered)
                .compose(outcome -> settle(ask, outcome, tries));
    }

    /** Adds the trace header unless the author set one. */
    private static OutboundRequest traced(Ask ask) {
        var request = ask.call().request();
        return ask.context()
                .traceparent()
                .filter(_ -> !request.headers().containsKey(TraceContext.HEADER))
                .map(header -> request.withHeader(TraceContext.HEADER, header))
                .orElse(request);
    }

    private record Outcome(Optional<OutboundResponse> response, Optional<OutboundFailure> failure) {
        static Outcome of(OutboundResponse response) {
            return new Outcome(Optional.of(response), Optional.empty());
        }

        int status() {
            return response.map(OutboundResponse::status).orElse(STATUS_OF_NO_RESPONSE);
        }

        JsonNode body() {
            return response.map(HttpReply::body)
                    .orElseGet(() -> TextNode.valueOf(
                            failure.map(OutboundFailure::getMessage).orElse("")));
        }

        /** Returns whether a retry may succeed; rejections by the guard or of the request itself are permanent. */
        boolean repeatable() {
            return failure.map(OutboundFailure::kind)
                    .map(kind -> kind != OutboundFailure.Kind.BLOCKED_ADDRESS
                            && kind != OutboundFailure.Kind.INVALID_REQUEST
                            && kind != OutboundFailure.Kind.FENCED
                            && kind != OutboundFailure.Kind.BODY_TOO_LARGE)
                    .orElse(true);
        }
    }

    private static Future<Outcome> unanswered(Throwable cause) {
        return cause instanceof OutboundFailure failure
                ? Future.succeededFuture(new Outcome(Optional.empty(), Optional.of(failure)))
                : Future.failedFuture(cause);
    }

    private Future<JsonNode> settle(Ask ask, Outcome outcome, int tries) {
        var call = ask.call();
        if (outcome.response().isPresent() && call.accepts(outcome.status())) {
            return result(ask, outcome.response().get());
        }
        var mode = HttpFailureMode.of(ask.input());
        return switch (mode.after(outcome.status(), tries, outcome.repeatable())) {
            case RETRY -> ask.context().sleep(FIRST_WAIT_MS << (tries - 1)).compose(_ -> attempt(ask, tries + 1));
            case CONTINUE -> Future.succeededFuture(continued(call, outcome));
            case FAIL -> Future.failedFuture(failed(call, outcome));
        };
    }

    private static Future<JsonNode> result(Ask ask, OutboundResponse response) {
        var result = Json.object().put("status", response.status());
        result.set("headers", HttpReply.headers(response));
        if (ask.input().path("response_to_file").asBoolean(false)) {
            return ask.context()
                    .writeFile(HttpFileName.of(response), response.body())
                    .map(url -> result.put("file", url));
        }
        if (!ask.input().path("response_is_binary").asBoolean(false)
                && HttpReply.received(response).isEmpty()) {
            return ask.context()
                    .writeFile(HttpFileName.of(response), response.body())
                    .map(url ->
                            result.set("body", Json.object().put("fileUrl", url).put("reason", reason(response))));
        }
        result.set("body", body(ask.input(), response));
        return Future.succeededFuture(result);
    }

    private static String reason(OutboundResponse response) {
        var encodings = HttpReply.encodings(response);
        return encodings.isEmpty()
                ? UNDECODED
                : "expected content-encoding gzip, deflate, zstd or identity, found " + String.join(", ", encodings)
                        + "; the bytes as received are kept as a file";
    }

    private static JsonNode body(ObjectNode input, OutboundResponse response) {
        if (input.path("response_is_binary").asBoolean(false)) {
            return base64(response);
        }
        return input.path("response_is_text").asBoolean(false)
                ? TextNode.valueOf(HttpReply.text(response))
                : HttpReply.body(response);
    }

    private static JsonNode base64(OutboundResponse response) {
        return TextNode.valueOf(
                Base64.getEncoder().encodeToString(response.body().getBytes()));
    }

    private static JsonNode continued(HttpCall call, Outcome outcome) {
        var result = Json.object();
        result.putObject("response").put("status", outcome.status()).set("body", outcome.body());
        var request = result.putObject("request");
        call.body().ifPresent(body -> request.set("body", body.shown()));
        return result;
    }

    /** The fields of 11.3; credentials in headers and in front of the host are not among them. */
    private static PieceFailure failed(HttpCall call, Outcome outcome) {
        var details = Json.object();
        outcome.failure().ifPresent(failure -> details.put("errorName", failure.errorName()));
        outcome.response().ifPresent(response -> describe(response, details));
        details.put("requestUrl", call.request().address().toString());
        details.put("requestMethod", call.request().method());
        call.body().map(HttpBody::shown).ifPresent(body -> details.set("requestBody", shortened(body)));
        return PieceFailure.of(message(outcome), details);
    }

    private static void describe(OutboundResponse response, ObjectNode details) {
        var body = HttpReply.body(response);
        details.put("status", response.status());
        details.set("responseBody", shortened(body));
        details.set("responseHeaders", HttpReply.maskedHeaders(response));
        var apiMessage = ApiMessage.in(body);
        if (!apiMessage.isEmpty()) {
            details.put("apiMessage", apiMessage);
        }
    }

    private static String message(Outcome outcome) {
        return outcome.failure()
                .map(OutboundFailure::getMessage)
                .or(() -> Optional.of(ApiMessage.in(outcome.body())).filter(text -> !text.isEmpty()))
                .orElseGet(() -> "Request failed with status code " + outcome.status());
    }

    private static JsonNode shortened(JsonNode body) {
        var text = HttpCall.text(body);
        return text.length() <= SHOWN_BODY_LENGTH_MAX
                ? body
                : TextNode.valueOf(CutText.marked(text, SHOWN_BODY_LENGTH_MAX, "\n…[truncated]"));
    }
}
