package io.millrace.workspace.authorizationserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.secret.Hashes;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OAuth authorization of MCP clients, at the root of the host and under /api; other clients are refused. */
final class GrantIT extends GrantBench {
    private static String issuer = "http://127.0.0.1:" + server.port();

    @Test
    void tellsClientsWhereEverythingIs_atBothPlaces() {
        for (var api : new ApiClient[] {root, server.anonymous()}) {
            // when
            var described = api.get("/.well-known/oauth-authorization-server");
            var project = api.get("/.well-known/oauth-protected-resource/mcp");
            var platform = api.get("/.well-known/oauth-protected-resource/mcp/platform");

            // then
            assertThat(described.text("/issuer")).isEqualTo(issuer);
            assertThat(described.text("/token_endpoint")).isEqualTo(issuer + "/token");
            assertThat(described.headers().firstValue("Access-Control-Allow-Origin"))
                    .contains("*");
            assertThat(project.text("/resource")).isEqualTo(issuer + "/mcp");
            assertThat(platform.text("/resource")).isEqualTo(issuer + "/mcp/platform");
            assertThat(platform.text("/authorization_servers/0")).isEqualTo(issuer);
        }
    }

    @Test
    void showsPeopleWhatTheyGranted_andEndsIt() {
        // given
        var client = root.post("/register", registration().put("client_name", "Notebook"));
        var sent = root.get("/authorize" + authorization(client, Map.of("resource", issuer + "/mcp")));
        var tokens = token(client, Map.of(), codeForm(codeOf(approve(ada.api(), sent, ada.projectId()))));
        var refresh = Map.of("grant_type", "refresh_token", "refresh_token", tokens.text("/refresh_token"));
        var foreigner = server.foreigner();

        // when
        var listed = ada.api().get("/v1/mcp-oauth/grants");
        var grant = listed.body()
                .path("data")
                .valueStream()
                .filter(each -> each.path("clientName").asText().equals("Notebook"))
                .findFirst()
                .orElseThrow();
        var path = "/v1/mcp-oauth/grants/" + grant.path("id").asText();
        var byAnother = foreigner.api().delete(path);
        var before = token(client, Map.of(), refresh);
        var ended = ada.api().delete(path);

        // then
        assertThat(grant.path("userEmail").asText()).isEqualTo("ada@example.com");
        assertThat(grant.path("projectId").asText()).isEqualTo(ada.projectId());
        assertThat(grant.path("redirectUri").asText()).isEqualTo(BACK);
        assertThat(foreigner.api().get("/v1/mcp-oauth/grants").body().path("data"))
                .isEmpty();
        assertThat(byAnother.status()).isEqualTo(404);
        assertThat(before.status()).isEqualTo(200);
        assertThat(ended.status()).isEqualTo(204);
        assertThat(token(client, Map.of(), refresh).text("/error")).isEqualTo("invalid_grant");
        assertThat(ada.api().delete(path).status()).isEqualTo(404);
        assertThat(Json.text(ada.api().get("/v1/mcp-oauth/grants").body())).doesNotContain("Notebook");
    }

    @Test
    void leadsAClientFromItsRegistrationToTheEndOfItsGrant() {
        // given
        var client = root.post("/register", registration().put("client_name", "<b>Inspector</b>"));
        assertThat(client.status()).isEqualTo(201);
        assertThat(client.text("/token_endpoint_auth_method")).isEqualTo("client_secret_basic");
        assertThat(client.headers().firstValue("Cache-Control")).contains("no-store");
        var sent = root.get("/authorize" + authorization(client, Map.of("resource", issuer + "/mcp")));
        assertThat(sent.status()).isEqualTo(302);
        var page = root.get(sent.headers().firstValue("Location").orElseThrow().substring(issuer.length()));
        assertThat(page.body().asText()).contains("&lt;b&gt;Inspector&lt;/b&gt;", "<b>localhost</b>");
        var html = page.body().asText();
        var script = html.substring(html.indexOf("<script>") + "<script>".length(), html.indexOf("</script>"));
        var scriptHash = Base64.getEncoder().encodeToString(Hashes.sha256(script.getBytes(StandardCharsets.UTF_8)));
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("frame-ancestors 'none'", "script-src 'sha256-" + scriptHash + "'");

        // when the user consents
        var approved = approve(ada.api(), sent, ada.projectId());
        var code = codeOf(approved);
        assertThat(approved.text("/redirectUrl")).startsWith(BACK + "&code=").endsWith("&state=a+b%26c");

        // and the code is exchanged
        var tokens = token(client, Map.of(), codeForm(code));
        assertThat(tokens.status()).isEqualTo(200);
        assertThat(tokens.headers().firstValue("Cache-Control")).contains("no-store");
        var claims = claimsOf(tokens);
        assertThat(claims.path("aud").asText()).isEqualTo(issuer + "/mcp");
        assertThat(claims.path("sub").asText()).isEqualTo(ada.userId());
        assertThat(claims.path("projectId").asText()).isEqualTo(ada.projectId());

        // then it refreshes until it is revoked
        var refresh = Map.of("grant_type", "refresh_token", "refresh_token", tokens.text("/refresh_token"));
        var refreshed = token(client, Map.of(), refresh);
        assertThat(refreshed.status()).isEqualTo(200);
        assertThat(refreshed.body().has("refresh_token")).isFalse();
        assertThat(claimsOf(refreshed).path("aud").asText()).isEqualTo(issuer + "/mcp");
        assertThat(form("/revoke", basic(client), Map.of("token", tokens.text("/refresh_token")))
                        .status())
                .isEqualTo(200);
        assertRefused(token(client, Map.of(), refresh), "invalid_grant");

        // and neither the code nor any token or secret is stored in plain text
        assertThat(server.count(
                        "select count(*) from mcp_grant where code_hash = $1 and refresh_hash = $2",
                        Hashes.sha256Hex(code),
                        Hashes.sha256Hex(tokens.text("/refresh_token"))))
                .isOne();
        assertThat(server.count(
                        "select count(*) from mcp_client where secret_hash = $1", client.text("/client_secret")))
                .isZero();
    }

    @Test
    void keepsAPublicClientPublic() {
        // given
        var client = root.post("/register", registration().put("token_endpoint_auth_method", "none"));
        assertThat(client.body().has("client_secret")).isFalse();
        var sent = root.get("/authorize" + authorization(client, Map.of()));
        var id = Map.of("client_id", client.text("/client_id"));

        // when
        var tokens = form("/token", Map.of(), with(id, codeForm(codeOf(approve(ada.api(), sent, null)))));

        // then
        assertThat(tokens.status()).isEqualTo(200);
        assertThat(claimsOf(tokens).path("projectId").isNull()).isTrue();
        assertThat(claimsOf(tokens).path("aud").asText()).isEqualTo(issuer + "/mcp");
        var token = Map.of("token", tokens.text("/refresh_token"));
        assertRefused(form("/revoke", Map.of(), token), "invalid_client");
        assertThat(form("/revoke", Map.of(), with(id, token)).status()).isEqualTo(200);
    }

    @Test
    void revokesTheTokensOfACode_whenItIsUsedAgain() {
        // given
        var client = root.post("/register", registration());
        var code = codeOf(approve(ada.api(), root.get("/authorize" + authorization(client, Map.of())), null));
        var first = token(client, Map.of(), codeForm(code));

        // when
        var second = token(client, Map.of(), codeForm(code));

        // then
        assertRefused(second, "invalid_grant");
        var refresh = Map.of("grant_type", "refresh_token", "refresh_token", first.text("/refresh_token"));
        assertRefused(token(client, Map.of(), refresh), "invalid_grant");
    }

    @Test
    void takesASecretInEitherPlace_butNotInBoth() {
        // given
        var client = root.post("/register", registration());
        var code = codeOf(approve(ada.api(), root.get("/authorize" + authorization(client, Map.of())), null));
        var inBody = Map.of("client_id", client.text("/client_id"), "client_secret", client.text("/client_secret"));
        var unproven = Map.of("client_id", client.text("/client_id"));
        var wrong = Map.of("client_id", client.text("/client_id"), "client_secret", "wrong");
        var bearer = Map.of("Authorization", "Bearer x");

        // when refused, the code is not consumed
        assertRefused(form("/token", Map.of(), codeForm(code)), "invalid_request");
        assertRefused(form("/token", Map.of(), with(unproven, codeForm(code))), "invalid_client");
        assertRefused(form("/token", Map.of(), with(wrong, codeForm(code))), "invalid_client");
        assertRefused(form("/token", basic(client), with(inBody, codeForm(code))), "invalid_request");
        assertRefused(
                form("/token", basic(client), with(Map.of("client_id", "another"), codeForm(code))), "invalid_request");
        assertRefused(form("/token", Map.of("Authorization", "Basic !"), codeForm(code)), "invalid_client");
        assertRefused(form("/token", bearer, codeForm(code)), "invalid_request");
        assertRefused(form("/token", bearer, with(unproven, codeForm(code))), "invalid_client");
        assertRefused(form("/revoke", bearer, Map.of("token", "whatever")), "invalid_client");

        // then
        assertThat(form("/token", bearer, with(inBody, codeForm(code))).status())
                .isEqualTo(200);
        for (var credentials : new Map<?, ?>[] {Map.of(), unproven, wrong}) {
            var token = new LinkedHashMap<>(Map.of("token", "whatever"));
            credentials.forEach((name, value) -> token.put((String) name, (String) value));
            assertRefused(form("/revoke", Map.of(), token), "invalid_client");
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            code_verifier, another-verifier-that-is-long-enough-for-any-rule-01, invalid_grant
            redirect_uri,  http://localhost:6274/callback,                       invalid_grant
            code,          unknown,                                              invalid_grant
            code,          '',                                                   invalid_request
            code_verifier, '',                                                   invalid_request
            redirect_uri,  '',                                                   invalid_request
            grant_type,    password,                                             unsupported_grant_type
            resource,      http://elsewhere.example/mcp,                         invalid_target
            """)
    void refusesACodeWithoutItsProof(String field, String value, String error) {
        // given
        var client = root.post("/register", registration());
        var code = codeOf(approve(ada.api(), root.get("/authorize" + authorization(client, Map.of())), null));

        // when
        var answer = token(client, Map.of(), with(codeForm(code), Map.of(field, value)));

        // then
        assertRefused(answer, error);
        assertThat(token(client, Map.of(), codeForm(code)).status()).isEqualTo(200);
    }

    @Test
    void refusesAnotherClientsCodeAndToken_andWhatHasExpired() {
        // given
        var client = root.post("/register", registration());
        var other = root.post("/register", registration());
        var code = codeOf(approve(ada.api(), root.get("/authorize" + authorization(client, Map.of())), null));
        assertRefused(token(other, Map.of(), codeForm(code)), "invalid_grant");
        var tokens = token(client, Map.of(), codeForm(code));
        var refresh = Map.of("grant_type", "refresh_token", "refresh_token", tokens.text("/refresh_token"));
        assertRefused(token(other, Map.of(), refresh), "invalid_grant");
        assertThat(form("/revoke", basic(other), Map.of("token", tokens.text("/refresh_token")))
                        .status())
                .isEqualTo(200);
        var sent = root.get("/authorize" + authorization(client, Map.of()));
        var late = codeOf(approve(ada.api(), sent, null));

        // when
        server.clock().advance(Duration.ofMinutes(10));

        // then
        assertRefused(token(client, Map.of(), codeForm(late)), "invalid_grant");
        assertRefused(approve(ada.api(), sent, null), "invalid_request");
        assertThat(token(client, Map.of(), refresh).status()).isEqualTo(200);
        var page = root.get(sent.headers().firstValue("Location").orElseThrow().substring(issuer.length()));
        assertThat(page.status()).isEqualTo(400);
        assertThat(page.body().asText()).contains("This request has ended");
    }

    @Test
    void keepsTokensForMcpOutOfTheApi() {
        // given
        var client = root.post("/register", registration());
        var code = codeOf(approve(ada.api(), root.get("/authorize" + authorization(client, Map.of())), null));
        var accessToken = token(client, Map.of(), codeForm(code)).text("/access_token");

        // when
        var answer = server.anonymous().with(accessToken).get("/v1/projects");

        // then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/code")).isEqualTo("INVALID_BEARER_TOKEN");
    }

    private static String codeOf(Answer approved) {
        assertThat(approved.status()).isEqualTo(200);
        var query = URI.create(approved.text("/redirectUrl")).getRawQuery();
        return query.substring(query.indexOf("code=") + 5, query.indexOf("&iss="));
    }

    private static JsonNode claimsOf(Answer tokens) {
        return Json.trusted(
                Base64.getUrlDecoder().decode(tokens.text("/access_token").split("\\.", -1)[1]));
    }
}
