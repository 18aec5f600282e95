package io.millrace.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.net.http.HttpResponse;
import java.util.List;

/**
 * Holds every exchange of a test against the API document: the operation is documented, the status of its answer is, and
 * the body is what the document says. What a caller sent is held against it too, when the server was content with it.
 */
final class ExchangeCheck {
    private static final String PREFIX = "/api";
    private static final int ROUTE_NOT_FOUND = 404;

    private ExchangeCheck() {}

    /**
     * One request and its answer.
     *
     * @param path relative to {@code /api}, without the query
     * @param sent body of the request; empty when there was none
     * @param mediaType of the answer; empty when it names none
     */
    record Exchange(String method, String path, String sent, int status, String mediaType, String received) {
        /** The exchange that a response ended. */
        static Exchange of(HttpResponse<?> response, String sent, String received) {
            var path = response.request().uri().getRawPath();
            return new Exchange(
                    response.request().method(),
                    path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : path,
                    sent,
                    response.statusCode(),
                    withoutParameters(
                            response.headers().firstValue("Content-Type").orElse("")),
                    received);
        }

        private static String withoutParameters(String contentType) {
            var end = contentType.indexOf(';');
            return (end < 0 ? contentType : contentType.substring(0, end)).strip();
        }

        @Override
        public String toString() {
            return method + " " + path + " -> " + status + " " + mediaType + " " + received;
        }
    }

    /** Fails the test when the exchange is not as documented. */
    static void check(Exchange exchange) {
        var contract = ApiContract.ofThisBuild();
        var operation = contract.operation(exchange.method(), exchange.path());
        if (operation.isEmpty()) {
            expect(isRouteNotFound(exchange), "an operation that is documented", exchange);
            return;
        }
        var answer = contract.answer(operation.get(), exchange.status());
        expect(answer.isPresent(), "a status that is documented", exchange);
        checkReceived(contract, exchange, answer.orElseThrow().path("content"));
        if (exchange.status() / 100 == 2) {
            checkSent(
                    contract, exchange, contract.resolved(operation.get().node().path("requestBody")));
        }
    }

    /** A path without an operation is answered like any unknown path. */
    private static boolean isRouteNotFound(Exchange exchange) {
        return exchange.status() == ROUTE_NOT_FOUND && exchange.received().contains("Route not found");
    }

    private static void checkReceived(ApiContract contract, Exchange exchange, JsonNode content) {
        if (content.isMissingNode()) {
            expect(exchange.received().isEmpty(), "an empty body", exchange);
            return;
        }
        var documented = content.has(exchange.mediaType()) ? content.get(exchange.mediaType()) : content.get("*/*");
        expect(documented != null, "a media type that is documented", exchange);
        if (documented.has("schema") && isJson(exchange.mediaType())) {
            var objections = objections(contract, documented.get("schema"), exchange.received());
            expect(objections.isEmpty(), "a body that is documented, but " + text(objections), exchange);
        }
    }

    private static boolean isJson(String mediaType) {
        return mediaType.equals("application/json") || mediaType.endsWith("+json");
    }

    private static void checkSent(ApiContract contract, Exchange exchange, JsonNode body) {
        var schema = body.path("content").path("application/json").path("schema");
        if (schema.isObject() && !exchange.sent().isEmpty()) {
            var objections = objections(contract, schema, exchange.sent());
            expect(objections.isEmpty(), "to refuse what the document does not allow: " + text(objections), exchange);
        }
    }

    /** The chain of steps of a long flow is not judged: validators recurse, and such chains are the reason for a limit. */
    private static List<String> objections(ApiContract contract, JsonNode schema, String body) {
        try {
            return contract.objections(schema, Json.parse(body));
        } catch (StreamConstraintsException longChain) {
            return List.of();
        } catch (JsonProcessingException malformed) {
            return List.of("it is no JSON: " + malformed.getOriginalMessage());
        }
    }

    private static String text(List<String> objections) {
        return String.join("; ", objections);
    }

    private static void expect(boolean holds, String expectation, Exchange exchange) {
        if (!holds) {
            throw new AssertionError("expected " + expectation + ", found " + exchange);
        }
    }
}
