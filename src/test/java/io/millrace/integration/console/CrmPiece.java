package io.millrace.integration.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceSpec;
import io.millrace.support.piece.BarePiece;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** Piece with every kind of connection, and its provider on 127.0.0.1, which accepts all requests. */
final class CrmPiece implements BarePiece, AutoCloseable {
    static final String NAME = "@test/piece-crm";
    static final String REFUSED = "wrong";

    private static final String LOGO = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#3b5bdb"/>\
            <circle cx="12" cy="9.5" r="3.5" fill="#fff"/><path d="M5 20c0-4 3-6 7-6s7 2 7 6" fill="#fff"/></svg>
            """;

    private final HttpServer provider;

    CrmPiece() {
        try {
            provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        provider.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        provider.createContext("/authorize", CrmPiece::allow);
        provider.createContext(
                "/token",
                exchange -> answer(
                        exchange,
                        "application/json",
                        "{\"access_token\":\"token\",\"expires_in\":3600,\"token_type\":\"Bearer\"}"
                                .getBytes(StandardCharsets.UTF_8)));
        provider.createContext(
                "/logo.svg", exchange -> answer(exchange, "image/svg+xml", LOGO.getBytes(StandardCharsets.UTF_8)));
        provider.start();
    }

    String origin() {
        return "http://127.0.0.1:" + provider.getAddress().getPort();
    }

    private static void allow(HttpExchange exchange) throws IOException {
        var query = Arrays.stream(exchange.getRequestURI().getRawQuery().split("&"))
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
        var back = URLDecoder.decode(query.get("redirect_uri"), StandardCharsets.UTF_8);
        exchange.getResponseHeaders()
                .add(
                        "Location",
                        URI.create(back + "?code=4711&state=" + query.getOrDefault("state", ""))
                                .toString());
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private static void answer(HttpExchange exchange, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length);
        try (var output = exchange.getResponseBody()) {
            output.write(body);
        }
    }

    @Override
    public PieceSpec spec() {
        var auth = Json.trusted("""
                [{"type": "OAUTH2", "authUrl": "%1$s/authorize", "tokenUrl": "%1$s/token", "pkce": true,
                  "pkceMethod": "S256", "scope": ["read"], "required": true, "displayName": "Connection"},
                 {"type": "SECRET_TEXT", "displayName": "API key", "required": true,
                  "description": "Found in the settings of your account."},
                 {"type": "BASIC_AUTH", "displayName": "Connection", "required": true,
                  "username": {"displayName": "User name"}, "password": {"displayName": "Password"}}]
                """.formatted(origin()));
        return new PieceSpec(
                NAME, "CRM", "Customers.", origin() + "/logo.svg", List.of(), List.of(), List.of("0.1.0"), auth);
    }

    @Override
    public Future<Optional<String>> validate(ObjectNode value) {
        return Future.succeededFuture(Optional.of("The CRM does not know this key.")
                .filter(_ -> value.path("secret_text").asText().equals(REFUSED)));
    }

    @Override
    public void close() {
        provider.stop(0);
    }
}
