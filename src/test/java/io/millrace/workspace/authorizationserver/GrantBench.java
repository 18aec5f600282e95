package io.millrace.workspace.authorizationserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.secret.Hashes;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** OAuth authorization server, and the requests of a client. */
abstract class GrantBench {
    static final String BACK = "http://localhost:6274/callback?from=mill";
    static final String VERIFIER = "a-verifier-that-is-long-enough-for-any-rule-0123456789";
    static final String FORM = "application/x-www-form-urlencoded";
    static TestServer server;
    static ApiClient root;
    static TestServer.SignedIn ada;

    @BeforeAll
    static void start() {
        server = TestServer.start();
        root = server.anonymous().atRoot();
        ada = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static ObjectNode registration() {
        var request = Json.object();
        request.putArray("redirect_uris").add(BACK);
        return request;
    }

    static String authorization(Answer client, Map<String, String> changes) {
        var query = new LinkedHashMap<String, String>();
        query.put("client_id", client.text("/client_id"));
        query.put("redirect_uri", BACK);
        query.put("response_type", "code");
        query.put("code_challenge", challenge());
        query.put("code_challenge_method", "S256");
        query.put("state", "a b&c");
        query.put("scope", "mcp offline_access");
        query.putAll(changes);
        return "?" + encoded(query);
    }

    static String challenge() {
        var digest = Hashes.sha256(VERIFIER.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    static Answer approve(ApiClient by, Answer sent, String projectId) {
        var location = sent.headers().firstValue("Location").orElseThrow();
        var body = Json.object().put("authRequestId", location.substring(location.indexOf('=') + 1));
        return by.post("/v1/mcp-oauth/approve", projectId == null ? body : body.put("projectId", projectId));
    }

    static Map<String, String> codeForm(String code) {
        return Map.of(
                "grant_type", "authorization_code", "code", code, "code_verifier", VERIFIER, "redirect_uri", BACK);
    }

    static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
        var all = new LinkedHashMap<>(some);
        all.putAll(more);
        return all;
    }

    static Answer token(Answer client, Map<String, String> headers, Map<String, String> form) {
        return form("/token", with(basic(client), headers), form);
    }

    static Answer form(String path, Map<String, String> headers, Map<String, String> form) {
        return root.send("POST", path, with(Map.of("Content-Type", FORM), headers), encoded(form));
    }

    static Map<String, String> basic(Answer client) {
        var pair = client.text("/client_id") + ":" + client.text("/client_secret");
        var encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return Map.of("Authorization", "Basic " + encoded);
    }

    static String encoded(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    static void assertRefused(Answer answer, String error) {
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/error")).isEqualTo(error);
    }
}
