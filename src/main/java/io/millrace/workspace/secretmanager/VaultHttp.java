package io.millrace.workspace.secretmanager;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.OutboundResponse;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;

/** HTTP calls of secret managers, through the guarded client. Bodies of refusals are not repeated: they may hold secrets. */
final class VaultHttp {
    private static final Duration TIMEOUT = Duration.ofSeconds(8);

    static final int ANSWER_BYTES_MAX = 2 << 20;

    private final OutboundHttp http;

    VaultHttp(OutboundHttp http) {
        this.http = http;
    }

    /** @throws SecretFailure when the address is invalid */
    static OutboundRequest request(String method, String url) {
        try {
            return OutboundRequest.of(method, WebAddress.parse(url))
                    .withTimeoutMs(TIMEOUT.toMillis())
                    .withBodyBytesMax(ANSWER_BYTES_MAX);
        } catch (IllegalArgumentException malformed) {
            throw SecretFailure.refused(malformed.getMessage());
        }
    }

    /**
     * The request with headers whose values are from the vault or from its settings.
     *
     * @param source of the values, for the failure
     * @throws SecretFailure when a value is not valid in a header
     */
    static OutboundRequest withHeaders(OutboundRequest request, String source, Map<String, String> headers) {
        try {
            return request.withMoreHeaders(headers);
        } catch (IllegalArgumentException unfit) {
            throw SecretFailure.refused(source + " that no request can carry");
        }
    }

    /** Returns responses of any status. */
    Future<OutboundResponse> send(OutboundRequest request) {
        return http.send(request)
                .recover(failure -> Future.failedFuture(SecretFailure.refused(
                        request.address().origin() + " was not reached: " + failure.getMessage())));
    }

    /**
     * Sends a request and fails unless the status is a success.
     *
     * @param what description of the request for errors
     */
    Future<OutboundResponse> accepted(OutboundRequest request, String what) {
        return send(request).map(answer -> {
            if (answer.status() / 100 != 2) {
                throw SecretFailure.refused(what + " was refused with status " + answer.status());
            }
            return answer;
        });
    }

    static JsonNode json(OutboundResponse answer) {
        try {
            return Json.parse(answer.body().getBytes());
        } catch (JsonProcessingException malformed) {
            throw SecretFailure.refused(answer.address().origin() + " answered with something that is not JSON");
        }
    }

    static String text(JsonNode holder, String name, String path) {
        var found = holder.path(name);
        if (found.isMissingNode() || found.isNull()) {
            throw SecretFailure.refused("there is no secret at " + path);
        }
        if (found.isContainerNode()) {
            throw SecretFailure.notSecret(path + " is not a single secret: it has several values");
        }
        return found.asText();
    }
}
