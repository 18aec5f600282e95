package io.millrace.piece.builtin.teams;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Obtains tokens and makes calls with them. A response of any status is a result; a missing response fails with
 * {@link PieceFailure}.
 */
final class MicrosoftCalls {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int BYTES_MAX = 2 * 1024 * 1024;

    /** Limit on the part of an error response that messages quote, in characters. */
    private static final int SHOWN_MAX = 2_000;

    private final OutboundHttp http;
    private final TeamsPlaces places;

    MicrosoftCalls(OutboundHttp http, TeamsPlaces places) {
        this.http = http;
        this.places = places;
    }

    MicrosoftCalls of(StepContext context) {
        return new MicrosoftCalls(http.fencedBy(context::fence), places);
    }

    /** Response of Microsoft; the value is missing when the body is not JSON. */
    record Answer(int status, JsonNode value, String text) {
        boolean isGood() {
            return status >= 200 && status < 300;
        }

        String shown() {
            return "HTTP status " + status + ": " + CutText.of(text, SHOWN_MAX);
        }
    }

    /** A token of the application itself (RFC 6749, 4.4). */
    Future<String> token(BotAccount account, String scope) {
        var fields = new TreeMap<>(Map.of(
                "grant_type",
                "client_credentials",
                "client_id",
                account.appId(),
                "client_secret",
                account.appSecret(),
                "scope",
                scope));
        var request = OutboundRequest.of(
                        "POST", WebAddress.parse(places.loginUrl() + "/" + account.tenantId() + "/oauth2/v2.0/token"))
                .withHeader("Content-Type", "application/x-www-form-urlencoded")
                .withBody(Buffer.buffer(form(fields)));
        return send(request).map(answer -> {
            var token = answer.value().path("access_token").asText();
            if (!answer.isGood() || token.isEmpty()) {
                throw PieceFailure.of(
                        "Microsoft rejects the bot's credentials; check appId, appSecret and tenantId. "
                                + answer.shown(),
                        Json.object().put("status", answer.status()));
            }
            return token;
        });
    }

    Future<Answer> get(String url, String token) {
        return send(OutboundRequest.of("GET", WebAddress.parse(url)).withHeader("Authorization", "Bearer " + token));
    }

    Future<Answer> post(String url, String token, ObjectNode body) {
        return send(OutboundRequest.of("POST", WebAddress.parse(url))
                .withHeader("Authorization", "Bearer " + token)
                .withHeader("Content-Type", "application/json")
                .withBody(Buffer.buffer(Json.bytes(body))));
    }

    private Future<Answer> send(OutboundRequest request) {
        return http.send(request.withTimeoutMs(TIMEOUT.toMillis())
                        .withBodyBytesMax(BYTES_MAX)
                        .withHeader("Accept", "application/json"))
                .map(response -> new Answer(
                        response.status(),
                        json(response.body()),
                        response.body().toString(StandardCharsets.UTF_8)))
                .recover(failure -> Future.failedFuture(
                        failure instanceof OutboundFailure unanswered
                                ? PieceFailure.of("The request to Microsoft failed: " + unanswered.getMessage())
                                : failure));
    }

    private static JsonNode json(Buffer body) {
        try {
            return Json.parse(body.getBytes());
        } catch (JsonProcessingException noJson) {
            return MissingNode.getInstance();
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }
}
