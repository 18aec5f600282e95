package io.millrace.workspace.authorizationserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refused registrations and authorization requests, and requests to which no user can consent. */
final class AuthorizationRequestIT extends GrantBench {
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
        var request = Json.object();
        request.putArray("redirect_uris").add(redirectUri);

        // When
        var answer = root.post("/register", request);

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
        for (var request : new ObjectNode[] {
            Json.object(),
            many,
            registration().put("client_name", "x".repeat(256)),
            registration().put("token_endpoint_auth_method", "private_key_jwt")
        }) {
            assertThat(root.post("/register", request).text("/code")).isEqualTo("FST_ERR_VALIDATION");
        }
    }

    @Test
    void refusesConsentForProjectsOfOthers() {
        // Given
        server.execute(
                "insert into user_invitation (id, created, updated, email, status, type, platform_id, platform_role)"
                        + " values ($1, now(), now(), 'max@example.com', 'ACCEPTED', 'PLATFORM', $2, 'MEMBER')",
                Ids.next(),
                ada.platformId());
        var max = server.signUp("max@example.com", "Max", PlatformRole.MEMBER);
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
}
