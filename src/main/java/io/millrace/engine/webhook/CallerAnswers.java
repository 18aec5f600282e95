package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.http.ErrorRenderer;
import io.millrace.base.http.page.AuthorContent;
import io.millrace.engine.webhook.Webhooks.Outcome;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Responses to the caller of a webhook, or of the address of a paused run (contract flows-and-engine 13.2, 17.2). */
final class CallerAnswers {
    /** The constant text of the seed (Events). */
    static final String RUN_FAILED = "The flow has failed and there is no response returned";

    private static final String RETRY_AFTER_SECONDS = "1";

    /** In the spelling that clients have always received; constants have a cached hash and encoded bytes. */
    private static final CharSequence CONTENT_TYPE = HttpHeaders.createOptimized("Content-Type");

    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json; charset=utf-8");
    private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain; charset=utf-8");

    private static final String REASON = "x-millrace-reason";
    private static final Buffer EMPTY_OBJECT = Buffer.buffer("{}");

    private final long timeoutMs;

    /** @param timeoutMs longest wait of a caller for the run's answer (AP_WEBHOOK_TIMEOUT_SECONDS) */
    CallerAnswers(long timeoutMs) {
        this.timeoutMs = timeoutMs;
    }

    /** Sends the outcome of the call, unless the caller has disconnected. */
    void tell(HttpServerResponse response, Outcome outcome, long arrived) {
        if (response.ended() || response.closed()) {
            return;
        }
        switch (outcome) {
            case Outcome.Accepted _ -> json(response, 200, EMPTY_OBJECT);
            case Outcome.Answered(var answer) -> answer(response, answer);
            case Outcome.HandshakeAnswered(var answer) -> {
                response.headers().remove("x-webhook-id");
                answer(response, answer);
            }
            case Outcome.Repeated(var callId, var first) -> {
                if (callId != null) {
                    response.putHeader("x-webhook-id", callId);
                }
                tell(response, first, arrived);
            }
            case Outcome.RunFailed _ ->
                json(response, 500, Buffer.buffer(Json.bytes(Json.object().put("message", RUN_FAILED))));
            case Outcome.NeverAnswers _ -> timeOut(response, arrived);
            case Outcome.Gone _ -> json(response, 410, EMPTY_OBJECT);
            case Outcome.Disabled _ -> json(response, 404, EMPTY_OBJECT);
            case Outcome.Unauthorized _ -> json(response, 401, EMPTY_OBJECT);
        }
    }

    /**
     * 408 with an empty object, after the full timeout and never before (seed, Events); the reason is in a header
     * (decision 0396).
     */
    private void timeOut(HttpServerResponse response, long arrived) {
        var leftMs = timeoutMs - (System.nanoTime() - arrived) / 1_000_000;
        Vertx.currentContext().owner().setTimer(Math.max(1, leftMs), _ -> {
            if (!response.closed()) {
                response.putHeader(
                        REASON,
                        "the flow sent no response within " + timeoutMs / 1000
                                + " s (AP_WEBHOOK_TIMEOUT_SECONDS); its run continues");
                json(response, 408, EMPTY_OBJECT);
            }
        });
    }

    static void answer(HttpServerResponse response, HttpAnswer answer) {
        response.setStatusCode(answer.status());
        AuthorContent.isolate(response);
        answer.headers().forEach((name, value) -> AuthorContent.putHeader(response, name, value));
        if (answer.status() == 204 || answer.status() == 304) {
            response.end();
            return;
        }
        if (isRedirect(answer.status()) && !response.headers().contains(HttpHeaders.CACHE_CONTROL)) {
            // A browser caches a permanent redirect without expiry, and would never call the flow again.
            response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        }
        if (answer.isFile()) {
            response.end(Buffer.buffer(answer.bytes()));
            return;
        }
        var body = answer.body() == null ? Json.object() : answer.body();
        if (!response.headers().contains(CONTENT_TYPE)) {
            response.putHeader(CONTENT_TYPE, contentType(body));
        }
        response.end(bytes(body));
    }

    private static boolean isRedirect(int status) {
        return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    }

    private static CharSequence contentType(JsonNode body) {
        return body.isTextual() ? TEXT : JSON;
    }

    private static Buffer bytes(JsonNode body) {
        return body.isTextual() ? Buffer.buffer(body.textValue()) : Buffer.buffer(Json.bytes(body));
    }

    static void json(HttpServerResponse response, int status, Buffer body) {
        response.setStatusCode(status)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader(CONTENT_TYPE, JSON)
                .end(body);
    }

    static void fail(HttpServerResponse response, String requestId, Throwable failure) {
        if (response.ended() || response.closed()) {
            return;
        }
        var refusal = ErrorRenderer.refusalOf(failure, requestId);
        switch (refusal.code()) {
            case BODY_TOO_LARGE ->
                json(response, 413, Buffer.buffer(Json.bytes(Json.object().put("message", "Request Too Long"))));
            case TOO_MANY_REQUESTS, UNAVAILABLE, STORAGE_UNAVAILABLE -> {
                response.putHeader("Retry-After", RETRY_AFTER_SECONDS);
                render(response, refusal);
            }
            default -> render(response, refusal);
        }
    }

    private static void render(HttpServerResponse response, ApiException refusal) {
        var reply = ErrorRenderer.render(refusal);
        json(response, reply.status(), reply.body());
    }
}
