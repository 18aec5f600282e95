package io.millrace.integration.mcp;

import io.millrace.base.core.Json;
import io.millrace.base.secret.Hashes;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** MCP client that a user has authorized by OAuth: from its registration to its tokens. */
record McpGuest(ApiClient root, Answer client, Answer tokens) {
    static final String BACK = "http://localhost:6274/callback";
    private static final String VERIFIER = "a-verifier-that-is-long-enough-for-any-rule-0123456789";
    private static final String FORM = "application/x-www-form-urlencoded";

    /** Authorizes a public client for a resource, and for the user's project. */
    static McpGuest of(TestServer server, TestServer.SignedIn person, String resource) {
        return of(server, person.api(), resource, Optional.of(person.projectId()));
    }

    /** Authorizes a public client for a resource, which is a path of the server. */
    static McpGuest of(TestServer server, ApiClient person, String resource, Optional<String> projectId) {
        return behind("http://127.0.0.1:" + server.port(), server, person, resource, projectId);
    }

    /** Authorizes a public client for a server with another public address. */
    static McpGuest behind(
            String origin, TestServer server, ApiClient person, String resource, Optional<String> projectId) {
        var root = server.anonymous().atRoot();
        var request = Json.object().put("token_endpoint_auth_method", "none");
        request.putArray("redirect_uris").add(BACK);
        var client = root.post("/register", request);
        var challenge = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Hashes.sha256(VERIFIER.getBytes(StandardCharsets.UTF_8)));
        var sent = root.get("/authorize?"
                + form(Map.of(
                        "client_id",
                        client.text("/client_id"),
                        "redirect_uri",
                        BACK,
                        "response_type",
                        "code",
                        "code_challenge",
                        challenge,
                        "resource",
                        origin + resource)));
        var page = sent.headers().firstValue("Location").orElseThrow();
        var approval = Json.object().put("authRequestId", page.substring(page.indexOf('=') + 1));
        projectId.ifPresent(id -> approval.put("projectId", id));
        var address = URI.create(person.post("/v1/mcp-oauth/approve", approval).text("/redirectUrl"));
        var tokens = root.send(
                "POST",
                "/token",
                Map.of("Content-Type", FORM),
                form(Map.of(
                        "grant_type",
                        "authorization_code",
                        "code",
                        address.getRawQuery().substring("code=".length()).split("&", 2)[0],
                        "code_verifier",
                        VERIFIER,
                        "redirect_uri",
                        BACK,
                        "client_id",
                        client.text("/client_id"))));
        return new McpGuest(root, client, tokens);
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    String accessToken() {
        return tokens.text("/access_token");
    }

    /** Calls a path with the access token. */
    McpClient at(String path) {
        return McpClient.of(root.with(accessToken()), path);
    }

    Answer refresh() {
        return root.send(
                "POST",
                "/token",
                Map.of("Content-Type", FORM),
                form(Map.of(
                        "grant_type", "refresh_token",
                        "refresh_token", tokens.text("/refresh_token"),
                        "client_id", client.text("/client_id"))));
    }

    Answer revoke() {
        return root.send(
                "POST",
                "/revoke",
                Map.of("Content-Type", FORM),
                form(Map.of(
                        "token", tokens.text("/refresh_token"),
                        "client_id", client.text("/client_id"))));
    }
}
