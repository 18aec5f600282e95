package io.millrace.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.net.http.HttpResponse;
import java.util.List;

/**
 * Checks every exchange of a test against the API document: the operation and the status of the response are
 * documented, and the body has the documented schema. The request body is checked, too, if the server accepted it.
 */
final class ExchangeCheck {
    private static final String PREFIX = "/api";
    private static final int ROUTE_NOT_FOUND = 404;

    private ExchangeCheck() {}

    /**
     * A request and its response.
     *
     * @param path relative to {@code /api}, without the query
     * @param sent body of the request; empty without one
     * @param mediaType of the response; empty if it has none
     */
    record Exchange(String method, String path, String sent, int status, String mediaType, String received) {
        /** Exchange of a received response. */
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

    /** Fails the test if the exchange is not as documented. */
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

    /** A path without an operation gets the response for unknown paths. */
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

    /**
     * The step chain of a long flow is not validated: validators recurse, and such chains are the reason for a limit.
     */
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
