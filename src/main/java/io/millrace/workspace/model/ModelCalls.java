package io.millrace.workspace.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.function.Consumer;

/** Sends requests to providers through the shared guarded HTTP client, and marks failures that may be retried. */
record ModelCalls(OutboundHttp http) {
    private static final int PAYMENT_REQUIRED = 402;

    Future<JsonNode> ask(ModelTarget target, OutboundRequest request, long timeoutMs, int bytesMax) {
        return send(target, request, timeoutMs, bytesMax, Reading.WHOLE).compose(response -> json(target, response));
    }

    /**
     * Consumer of a response.
     *
     * @param body receives each part of the body
     * @param cancelled completes when the response is not needed any longer
     */
    record Reading(Consumer<Buffer> body, Future<Void> cancelled) {
        static final Reading WHOLE = new Reading(_ -> {}, OutboundHttp.NEVER_CANCELLED);
    }

    Future<OutboundResponse> send(
            ModelTarget target, OutboundRequest request, long timeoutMs, int bytesMax, Reading reading) {
        return http.send(
                        request.withTimeoutMs(Math.max(1, timeoutMs)).withBodyBytesMax(bytesMax),
                        reading.body(),
                        reading.cancelled())
                .recover(cause -> Future.failedFuture(
                        cause instanceof OutboundFailure || cause instanceof IOException
                                ? target.failure(cause.getMessage(), !staysSo(cause))
                                : cause));
    }

    /** Not retried: a blocked address stays blocked, and a too long response would be too long again. */
    private static boolean staysSo(Throwable cause) {
        return cause instanceof OutboundFailure failure
                && (failure.kind() == OutboundFailure.Kind.BLOCKED_ADDRESS
                        || failure.kind() == OutboundFailure.Kind.BODY_TOO_LARGE);
    }

    Future<JsonNode> json(ModelTarget target, OutboundResponse response) {
        if (response.status() == PAYMENT_REQUIRED && target.isOnCredits()) {
            return Future.failedFuture(target.creditsGone(reasonOf(response)));
        }
        if (!isGood(response)) {
            return Future.failedFuture(
                    target.failure(reasonOf(response), isPassing(response.status()), RetryAfter.ofMs(response)));
        }
        try {
            return Future.succeededFuture(Json.parse(response.body().getBytes()));
        } catch (JsonProcessingException malformed) {
            return Future.failedFuture(target.failure("the response is not JSON", true));
        }
    }

    static boolean isGood(OutboundResponse response) {
        return response.status() / 100 == 2;
    }

    private static boolean isPassing(int status) {
        return status == 408 || status == 429 || status >= 500;
    }

    private static String reasonOf(OutboundResponse response) {
        var body = response.body().toString();
        String said;
        try {
            var json = Json.parse(body);
            var error = json.path("error");
            said = error.isTextual()
                    ? error.asText()
                    : error.path("message")
                            .asText(json.path("message")
                                    .asText(json.path(0).at("/error/message").asText(body)));
        } catch (JsonProcessingException text) {
            said = body;
        }
        return said.isBlank() ? "status " + response.status() : said;
    }
}
