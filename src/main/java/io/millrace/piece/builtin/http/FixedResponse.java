package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.ApiMessage;
import io.millrace.piece.PieceFailure;

/** Outcome of a request whose response is known: a test of a flow states it, and nothing is sent. */
public sealed interface FixedResponse {
    record Result(JsonNode output) implements FixedResponse {}

    record Refused(PieceFailure failure) implements FixedResponse {}

    /**
     * Decides as {@code SendRequest} does after its last attempt.
     *
     * @param input resolved input of the step
     * @param headers by lower-case name
     */
    static FixedResponse outcome(ObjectNode input, int status, ObjectNode headers, JsonNode body) {
        var limit = input.path("followRedirects").asBoolean(false) ? 300 : 400;
        if (status < limit) {
            var output = Json.object().put("status", status);
            output.set("headers", headers);
            output.set("body", body);
            return new Result(output);
        }
        return switch (HttpFailureMode.of(input).after(status, HttpFailureMode.TRIES_MAX, true)) {
            case CONTINUE -> {
                var output = Json.object();
                output.putObject("response").put("status", status).set("body", body);
                var request = output.putObject("request");
                if (input.hasNonNull("body")) {
                    request.set("body", input.get("body"));
                }
                yield new Result(output);
            }
            case FAIL, RETRY -> new Refused(failure(input, status, headers, body));
        };
    }

    private static PieceFailure failure(ObjectNode input, int status, ObjectNode headers, JsonNode body) {
        var details = Json.object().put("status", status);
        details.set("responseBody", body);
        details.set("responseHeaders", headers);
        var apiMessage = ApiMessage.in(body);
        if (!apiMessage.isEmpty()) {
            details.put("apiMessage", apiMessage);
        }
        details.put("requestUrl", input.path("url").asText());
        details.put("requestMethod", input.path("method").asText("GET"));
        return PieceFailure.of(
                apiMessage.isEmpty() ? "Request failed with status code " + status : apiMessage, details);
    }
}
