package io.millrace.day;

import io.millrace.base.core.Json;
import io.millrace.base.secret.Hashes;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Tokens of an MCP client that a person has authorized by OAuth. */
final class McpGrant {
    private static final String BACK = "http://localhost:6274/callback";
    private static final String VERIFIER = "a-verifier-that-is-long-enough-for-any-rule-0123456789";
    private static final Pattern CODE = Pattern.compile("[?&]code=([^&]+)");

    private final Answer client;
    private final Answer tokens;

    private McpGrant(Answer client, Answer tokens) {
        this.client = client;
        this.tokens = tokens;
    }

    /** Registers a client, lets the person approve it for the project, and fetches its tokens. */
    static McpGrant of(ApiClient person, String projectId) {
        var root = person.atRoot().with(null);
        var request = Json.object().put("token_endpoint_auth_method", "none").put("client_name", "Issued before");
        request.putArray("redirect_uris").add(BACK);
        var client = root.post("/register", request);
        var issuer = root.get("/.well-known/oauth-authorization-server").text("/issuer");
        var challenge = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Hashes.sha256(VERIFIER.getBytes(StandardCharsets.UTF_8)));
        var sent = root.get("/authorize?"
                + encoded(Map.of(
                        "client_id",
                        client.text("/client_id"),
                        "redirect_uri",
                        BACK,
                        "response_type",
                        "code",
                        "code_challenge",
                        challenge,
                        "code_challenge_method",
                        "S256",
                        "scope",
                        "mcp offline_access",
                        "resource",
                        issuer + "/mcp")));
        var location = sent.headers().firstValue("Location").orElseThrow();
        var approved = person.post(
                "/v1/mcp-oauth/approve",
                Json.object()
                        .put("authRequestId", location.substring(location.indexOf('=') + 1))
                        .put("projectId", projectId));
        var code = CODE.matcher("?" + URI.create(approved.text("/redirectUrl")).getRawQuery());
        if (!code.find()) {
            throw new AssertionError("expected a code, found " + approved);
        }
        var tokens = token(
                root,
                Map.of(
                        "grant_type",
                        "authorization_code",
                        "code",
                        code.group(1),
                        "code_verifier",
                        VERIFIER,
                        "redirect_uri",
                        BACK,
                        "client_id",
                        client.text("/client_id")));
        return new McpGrant(client, tokens);
    }

    void use(ApiClient anonymous, DayFindings findings) {
        var root = anonymous.atRoot();
        var tools = IssuedByEarlier.tools(root.with(tokens.text("/access_token")), "/mcp");
        findings.add("issued before: access token of an MCP grant", tools.status() == 200, "status " + tools.status());
        var renewed = token(
                root,
                Map.of(
                        "grant_type", "refresh_token",
                        "refresh_token", tokens.text("/refresh_token"),
                        "client_id", client.text("/client_id")));
        var later = IssuedByEarlier.tools(root.with(renewed.text("/access_token")), "/mcp");
        findings.add(
                "issued before: refresh token of an MCP grant",
                renewed.status() == 200 && later.status() == 200,
                "status " + renewed.status() + ", then " + later.status());
    }

    private static Answer token(ApiClient root, Map<String, String> form) {
        return root.send("POST", "/token", Map.of("Content-Type", "application/x-www-form-urlencoded"), encoded(form));
    }

    private static String encoded(Map<String, String> fields) {
        return new TreeMap<>(fields)
                .entrySet().stream()
                        .map(field ->
                                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
    }
}
