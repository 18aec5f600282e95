package io.millrace.workspace.authorizationserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.secret.Hashes;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MCP clients are let in by OAuth, at the root of the host and under /api; everybody else stays outside. */
final class GrantIT {
    private static final String BACK = "http://localhost:6274/callback?from=mill";
    private static final String VERIFIER = "a-verifier-that-is-long-enough-for-any-rule-0123456789";
    private static final String FORM = "application/x-www-form-urlencoded";

    private static TestServer server;
    private static ApiClient root;
    private static String issuer;
    private static TestServer.SignedIn ada;

    @BeforeAll
    static void start() {
        server = TestServer.start();
        root = server.anonymous().atRoot();
        issuer = "http://127.0.0.1:" + server.port();
        ada = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void tellsClientsWhereEverythingIs_atBothPlaces() {
        for (var api : new ApiClient[] {root, server.anonymous()}) {
            // When
            var described = api.get("/.well-known/oauth-authorization-server");
            var project = api.get("/.well-known/oauth-protected-resource/mcp");
            var platform = api.get("/.well-known/oauth-protected-resource/mcp/platform");

            // Then
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
        // Given
        var client = root.post("/register", registration().put("client_name", "Notebook"));
        var sent = root.get("/authorize" + authorization(client, Map.of("resource", issuer + "/mcp")));
        var tokens = token(client, Map.of(), codeForm(codeOf(approve(ada.api(), sent, ada.projectId()))));
        var refresh = Map.of("grant_type", "refresh_token", "refresh_token", tokens.text("/refresh_token"));
        var foreigner = server.foreigner();

        // When
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

        // Then
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
        // Given
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

        // When the person agrees
        var approved = approve(ada.api(), sent, ada.projectId());
        var code = codeOf(approved);
        assertThat(approved.text("/redirectUrl")).startsWith(BACK + "&code=").endsWith("&state=a+b%26c");

        // And the code is exchanged
        var tokens = token(client, Map.of(), codeForm(code));
        assertThat(tokens.status()).isEqualTo(200);
        assertThat(tokens.headers().firstValue("Cache-Control")).contains("no-store");
        var claims = claimsOf(tokens);
        assertThat(claims.path("aud").asText()).isEqualTo(issuer + "/mcp");
        assertThat(claims.path("sub").asText()).isEqualTo(ada.userId());
        assertThat(claims.path("projectId").asText()).isEqualTo(ada.projectId());

        // Then it refreshes until it is revoked
        var refresh = Map.of("grant_type", "refresh_token", "refresh_token", tokens.text("/refresh_token"));
        var refreshed = token(client, Map.of(), refresh);
        assertThat(refreshed.status()).isEqualTo(200);
        assertThat(refreshed.body().has("refresh_token")).isFalse();
        assertThat(claimsOf(refreshed).path("aud").asText()).isEqualTo(issuer + "/mcp");
        assertThat(form("/revoke", basic(client), Map.of("token", tokens.text("/refresh_token")))
                        .status())
                .isEqualTo(200);
        assertRefused(token(client, Map.of(), refresh), "invalid_grant");

        // And neither the code nor any token or secret was kept as it is
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
        // Given
        var client = root.post("/register", registration().put("token_endpoint_auth_method", "none"));
        assertThat(client.body().has("client_secret")).isFalse();
        var sent = root.get("/authorize" + authorization(client, Map.of()));
        var id = Map.of("client_id", client.text("/client_id"));

        // When
        var tokens = form("/token", Map.of(), with(id, codeForm(codeOf(approve(ada.api(), sent, null)))));

        // Then
        assertThat(tokens.status()).isEqualTo(200);
        assertThat(claimsOf(tokens).path("projectId").isNull()).isTrue();
        assertThat(claimsOf(tokens).path("aud").asText()).isEqualTo(issuer + "/mcp");
        var token = Map.of("token", tokens.text("/refresh_token"));
        assertRefused(form("/revoke", Map.of(), token), "invalid_client");
        assertThat(form("/revoke", Map.of(), with(id, token)).status()).isEqualTo(200);
    }

    @Test
    void endsWhatACodeGave_whenItComesASecondTime() {
        // Given
        var client = root.post("/register", registration());
        var code = codeOf(approve(ada.api(), root.get("/authorize" + authorization(client, Map.of())), null));
        var first = token(client, Map.of(), codeForm(code));

        // When
        var second = token(client, Map.of(), codeForm(code));

        // Then
        assertRefused(second, "invalid_grant");
        var refresh = Map.of("grant_type", "refresh_token", "refresh_token", first.text("/refresh_token"));
        assertRefused(token(client, Map.of(), refresh), "invalid_grant");
    }

    @Test
    void takesASecretInEitherPlace_butNotInBoth() {
        // Given
        var client = root.post("/register", registration());
        var code = codeOf(approve(ada.api(), root.get("/authorize" + authorization(client, Map.of())), null));
        var inBody = Map.of("client_id", client.text("/client_id"), "client_secret", client.text("/client_secret"));
        var unproven = Map.of("client_id", client.text("/client_id"));
        var wrong = Map.of("client_id", client.text("/client_id"), "client_secret", "wrong");

        // When refused, the code is not spent
        assertRefused(form("/token", Map.of(), codeForm(code)), "invalid_request");
        assertRefused(form("/token", Map.of(), with(unproven, codeForm(code))), "invalid_client");
        assertRefused(form("/token", Map.of(), with(wrong, codeForm(code))), "invalid_client");
        assertRefused(form("/token", basic(client), with(inBody, codeForm(code))), "invalid_request");
        assertRefused(
                form("/token", basic(client), with(Map.of("client_id", "another"), codeForm(code))), "invalid_request");
        assertRefused(form("/token", Map.of("Authorization", "Basic !"), codeForm(code)), "invalid_client");
        assertRefused(form("/token", Map.of("Authorization", "Bearer x"), codeForm(code)), "invalid_client");

        // Then
        assertThat(form("/token", Map.of(), with(inBody, codeForm(code))).status())
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
        // Given
        var client = root.post("/register", registration());
        var code = codeOf(approve(ada.api(), root.get("/authorize" + authorization(client, Map.of())), null));

        // When
        var answer = token(client, Map.of(), with(codeForm(code), Map.of(field, value)));

        // Then
        assertRefused(answer, error);
        assertThat(token(client, Map.of(), codeForm(code)).status()).isEqualTo(200);
    }

    @Test
    void refusesAnotherClientsCodeAndToken_andWhatHasExpired() {
        // Given
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

        // When
        server.clock().advance(Duration.ofMinutes(10));

        // Then
        assertRefused(token(client, Map.of(), codeForm(late)), "invalid_grant");
        assertRefused(approve(ada.api(), sent, null), "invalid_request");
        assertThat(token(client, Map.of(), refresh).status()).isEqualTo(200);
        var page = root.get(sent.headers().firstValue("Location").orElseThrow().substring(issuer.length()));
        assertThat(page.status()).isEqualTo(400);
        assertThat(page.body().asText()).contains("This request has ended");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            response_type,         token,                              unsupported_response_type
            code_challenge_method, plain,                              invalid_request
            client_id,             nobody,                             invalid_client
            client_id,             "no'body\u00e9",                    invalid_client
            redirect_uri,          http://localhost:6274/callback,     invalid_request
            redirect_uri,          https://evil.example,               invalid_request
            resource,              https://elsewhere.example/mcp,      invalid_target
            """)
    void sendsNobodyAnywhere_whenARequestIsRefused(String field, String value, String error) {
        // Given
        var client = root.post("/register", registration());

        // When
        var answer = root.get("/authorize" + authorization(client, Map.of(field, value)));

        // Then
        assertRefused(answer, error);
        assertThat(answer.headers().firstValue("Location")).isEmpty();
    }

    @Test
    void refusesParametersThatAreMissingOrComeTwice() {
        // Given
        var client = root.post("/register", registration());
        var complete = authorization(client, Map.of());

        // When
        var twice = root.get("/authorize" + complete + "&redirect_uri=https%3A%2F%2Fevil.example");
        var missing = root.get("/authorize?client_id=" + client.text("/client_id"));
        var twiceInForm = root.send(
                "POST", "/token", Map.of("Content-Type", FORM), "grant_type=refresh_token&grant_type=refresh_token");
        var noGrantType = root.send("POST", "/token", Map.of("Content-Type", FORM), "code=x");

        // Then
        assertRefused(twice, "invalid_request");
        assertRefused(twiceInForm, "invalid_request");
        assertThat(missing.text("/code")).isEqualTo("FST_ERR_VALIDATION");
        assertThat(missing.text("/message")).contains("querystring/code_challenge", "querystring/response_type");
        assertThat(noGrantType.text("/message")).contains("body/grant_type");
        assertThat(noGrantType.headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    void writesNothingOfACallerIntoHeaders_andReadsNothingWithoutEnd() {
        // Given
        var client = root.post("/register", registration());
        var sent = root.get("/authorize" + authorization(client, Map.of("state", "a\r\nSet-Cookie: x=y")));

        // When
        var approved = approve(ada.api(), sent, null);
        var page = root.get("/mcp-authorize?authRequestId=" + "x".repeat(10_000));

        // Then
        assertThat(sent.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(approved.text("/redirectUrl")).endsWith("&state=a%0D%0ASet-Cookie%3A+x%3Dy");
        assertThat(page.status()).isEqualTo(400);
        assertRefused(token(client, Map.of(), codeForm("x".repeat(100_000))), "invalid_grant");
        var twice = "token=x&token=y&client_id=" + client.text("/client_id");
        assertRefused(root.send("POST", "/revoke", Map.of("Content-Type", FORM), twice), "invalid_request");
        assertThat(root.send("GET", "/.well-known/oauth-protected-resource/mcp/elsewhere", Map.of(), "")
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            javascript:alert(1),                     400
            data:text/html;x,                        400
            not a url,                               400
            https:,                                  400
            https://ok.example/#fragment,            400
            'https://ok.example/\u0001',             400
            http://elsewhere.example/callback,       400
            http://127.0.0.1.elsewhere.example/,     400
            http://localhost@elsewhere.example/,     400
            http://10.0.0.1/callback,                400
            https://ok.example/callback,             201
            http://localhost:6274/callback,          201
            http://127.0.0.1:33418/,                 201
            'http://[::1]:8000/callback',            201
            cursor://anysphere.cursor-mcp/callback,  201
            com.example.app:/callback,               201
            """)
    void registersOnlyAddressesThatCanTakeACode(String redirectUri, int status) {
        // Given
        var wish = Json.object();
        wish.putArray("redirect_uris").add(redirectUri);

        // When
        var answer = root.post("/register", wish);

        // Then
        assertThat(answer.status()).isEqualTo(status);
        if (status == 400) {
            assertThat(answer.text("/message")).startsWith("body/redirect_uris/0 Invalid URL");
        }
    }

    @Test
    void refusesMalformedRegistrations() {
        var many = registration();
        for (var index = 0; index < 32; index++) {
            many.withArray("/redirect_uris").add("https://ok.example/" + index);
        }
        for (var wish : new ObjectNode[] {
            Json.object(),
            many,
            registration().put("client_name", "x".repeat(256)),
            registration().put("token_endpoint_auth_method", "private_key_jwt")
        }) {
            assertThat(root.post("/register", wish).text("/code")).isEqualTo("FST_ERR_VALIDATION");
        }
    }

    @Test
    void letsNobodyAgreeForProjectsOfOthers() {
        // Given
        server.execute(
                "insert into user_invitation (id, created, updated, email, status, type, platform_id, platform_role)"
                        + " values ($1, now(), now(), 'max@example.com', 'ACCEPTED', 'PLATFORM', $2, 'MEMBER')",
                Ids.next(),
                ada.platformId());
        var max = server.signUp("max@example.com", "Max");
        server.give(max, PlatformRole.MEMBER);
        var client = root.post("/register", registration());
        var sent = root.get("/authorize" + authorization(client, Map.of()));

        // When
        var foreign = approve(max.api(), sent, ada.projectId());
        var unknown = approve(ada.api(), sent, Ids.next());
        var nobody = approve(server.anonymous(), sent, null);
        var forged = ada.api().post("/v1/mcp-oauth/approve", Json.object().put("authRequestId", "a.b.c"));

        // Then
        assertThat(foreign.status()).isEqualTo(403);
        assertThat(foreign.text("/error")).isEqualTo("access_denied");
        assertThat(unknown.text("/error")).isEqualTo("access_denied");
        assertThat(nobody.text("/code")).isEqualTo("AUTHORIZATION");
        assertRefused(forged, "invalid_request");
    }

    @Test
    void keepsTokensForMcpOutOfTheApi() {
        // Given
        var client = root.post("/register", registration());
        var code = codeOf(approve(ada.api(), root.get("/authorize" + authorization(client, Map.of())), null));
        var accessToken = token(client, Map.of(), codeForm(code)).text("/access_token");

        // When
        var answer = server.anonymous().with(accessToken).get("/v1/projects");

        // Then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/code")).isEqualTo("INVALID_BEARER_TOKEN");
    }

    private static ObjectNode registration() {
        var wish = Json.object();
        wish.putArray("redirect_uris").add(BACK);
        return wish;
    }

    private static String authorization(Answer client, Map<String, String> changes) {
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

    private static String challenge() {
        var digest = Hashes.sha256(VERIFIER.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    private static Answer approve(ApiClient by, Answer sent, String projectId) {
        var location = sent.headers().firstValue("Location").orElseThrow();
        var body = Json.object().put("authRequestId", location.substring(location.indexOf('=') + 1));
        return by.post("/v1/mcp-oauth/approve", projectId == null ? body : body.put("projectId", projectId));
    }

    private static String codeOf(Answer approved) {
        assertThat(approved.status()).isEqualTo(200);
        var query = URI.create(approved.text("/redirectUrl")).getRawQuery();
        return query.substring(query.indexOf("code=") + 5, query.indexOf("&state"));
    }

    private static Map<String, String> codeForm(String code) {
        return Map.of(
                "grant_type", "authorization_code", "code", code, "code_verifier", VERIFIER, "redirect_uri", BACK);
    }

    private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
        var all = new LinkedHashMap<>(some);
        all.putAll(more);
        return all;
    }

    private static Answer token(Answer client, Map<String, String> headers, Map<String, String> form) {
        return form("/token", with(basic(client), headers), form);
    }

    private static Answer form(String path, Map<String, String> headers, Map<String, String> form) {
        return root.send("POST", path, with(Map.of("Content-Type", FORM), headers), encoded(form));
    }

    private static Map<String, String> basic(Answer client) {
        var pair = client.text("/client_id") + ":" + client.text("/client_secret");
        var encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return Map.of("Authorization", "Basic " + encoded);
    }

    private static String encoded(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static JsonNode claimsOf(Answer tokens) {
        return Json.trusted(
                Base64.getUrlDecoder().decode(tokens.text("/access_token").split("\\.", -1)[1]));
    }

    private static void assertRefused(Answer answer, String error) {
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/error")).isEqualTo(error);
    }
}
