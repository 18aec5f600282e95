package io.millrace.workspace.authorizationserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Authorization of MCP, revision 2025-11-25, requirement by requirement (decision 0030). */
final class McpAuthorizationIT extends GrantBench {
    private static final String METADATA = "/.well-known/oauth-authorization-server";
    private static final String RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

    private static String issuer() {
        return "http://127.0.0.1:" + server.port();
    }

    private static Answer client(String... authentication) {
        var request = registration();
        for (var method : authentication) {
            request.put("token_endpoint_auth_method", method);
        }
        return root.post("/register", request);
    }

    private static Answer authorized(Answer client, Map<String, String> changes) {
        return root.get("/authorize" + authorization(client, changes));
    }

    /** Parameters of the redirect after consent. */
    private static Map<String, String> granted(Answer client) {
        return parameters(approve(ada.api(), authorized(client, Map.of()), ada.projectId())
                .text("/redirectUrl"));
    }

    private static Map<String, String> parameters(String address) {
        var found = new LinkedHashMap<String, String>();
        for (var pair : URI.create(address).getRawQuery().split("&")) {
            var words = pair.split("=", 2);
            assertThat(found).as(address).doesNotContainKey(words[0]);
            found.put(words[0], URLDecoder.decode(words[1], StandardCharsets.UTF_8));
        }
        return found;
    }

    private static Map<String, String> refresh(Answer tokens, Answer client) {
        return Map.of(
                "grant_type",
                "refresh_token",
                "refresh_token",
                tokens.text("/refresh_token"),
                "client_id",
                client.text("/client_id"));
    }

    private static Answer exchanged(Answer client) {
        return form(
                "/token",
                Map.of(),
                with(codeForm(granted(client).get("code")), Map.of("client_id", client.text("/client_id"))));
    }

    private static DynamicTest requirement(String name, Executable check) {
        return DynamicTest.dynamicTest(name, check);
    }

    @TestFactory
    Stream<DynamicTest> meets() {
        return Stream.of(
                requirement("RFC 9728: metadata of each protected resource names its server", () -> {
                    for (var path :
                            new String[] {"/mcp", "/mcp/platform", "/api/v1/mcp/" + ada.projectId() + "/http"}) {
                        var metadata = root.get(RESOURCE_METADATA + path);
                        assertThat(metadata.text("/resource")).isEqualTo(issuer() + path);
                        assertThat(metadata.text("/authorization_servers/0")).isEqualTo(issuer());
                        assertThat(metadata.text("/bearer_methods_supported/0")).isEqualTo("header");
                    }
                }),
                requirement("RFC 9728, 5.1: a 401 leads to the metadata and names the scope", () -> {
                    for (var path :
                            new String[] {"/mcp", "/mcp/platform", "/api/v1/mcp/" + ada.projectId() + "/http"}) {
                        var refused = root.post(path, Json.object());
                        assertThat(refused.status()).isEqualTo(401);
                        assertThat(refused.headers()
                                        .firstValue("WWW-Authenticate")
                                        .orElseThrow())
                                .startsWith("Bearer ")
                                .contains("resource_metadata=\"" + issuer() + RESOURCE_METADATA + path + "\"")
                                .contains("scope=\"mcp\"");
                    }
                }),
                requirement("RFC 8414: metadata has every field that clients need", () -> {
                    var metadata = root.get(METADATA);
                    assertThat(metadata.text("/issuer")).isEqualTo(issuer());
                    for (var endpoint : new String[] {"authorization", "token", "registration", "revocation"}) {
                        assertThat(metadata.text("/" + endpoint + "_endpoint")).startsWith(issuer() + "/");
                    }
                    assertThat(metadata.text("/response_types_supported/0")).isEqualTo("code");
                    assertThat(metadata.text("/response_modes_supported/0")).isEqualTo("query");
                    assertThat(metadata.body().path("grant_types_supported").toString())
                            .isEqualTo("[\"authorization_code\",\"refresh_token\"]");
                    assertThat(metadata.body()
                                    .path("token_endpoint_auth_methods_supported")
                                    .toString())
                            .contains("none");
                    assertThat(metadata.text("/scopes_supported/0")).isEqualTo("mcp");
                }),
                requirement("PKCE: S256 is advertised, and a request without a challenge is refused", () -> {
                    assertThat(root.get(METADATA)
                                    .body()
                                    .path("code_challenge_methods_supported")
                                    .toString())
                            .isEqualTo("[\"S256\"]");
                    var client = client();
                    assertThat(authorized(client, Map.of("code_challenge_method", "plain"))
                                    .text("/error"))
                            .isEqualTo("invalid_request");
                    assertThat(authorized(client, Map.of("code_challenge", "")).status())
                            .isEqualTo(400);
                }),
                requirement("RFC 9207: the response names the issuer, as the metadata promises", () -> {
                    assertThat(root.get(METADATA)
                                    .body()
                                    .path("authorization_response_iss_parameter_supported")
                                    .asBoolean())
                            .isTrue();
                    assertThat(granted(client()))
                            .containsEntry("iss", root.get(METADATA).text("/issuer"))
                            .containsEntry("state", "a b&c");
                }),
                requirement("RFC 9207: the response of a refusal names the issuer", () -> {
                    var sent = authorized(client(), Map.of());
                    var page = root.get(sent.headers()
                                    .firstValue("Location")
                                    .orElseThrow()
                                    .substring(issuer().length()))
                            .body()
                            .asText();
                    var end = page.indexOf("\" rel=\"noreferrer\">Refuse");
                    var address = page.substring(page.lastIndexOf("href=\"", end) + 6, end)
                            .replace("&amp;", "&");
                    assertThat(parameters(address))
                            .containsEntry("error", "access_denied")
                            .containsEntry("iss", issuer());
                }),
                requirement("RFC 8707: a resource of another server is refused", () -> {
                    assertThat(authorized(client(), Map.of("resource", "https://other.example/mcp"))
                                    .text("/error"))
                            .isEqualTo("invalid_target");
                    assertThat(authorized(client(), Map.of("resource", issuer() + "/mcp"))
                                    .status())
                            .isEqualTo(302);
                }),
                requirement("RFC 7591: a public client registers without a secret", () -> {
                    var client = client("none");
                    assertThat(client.status()).isEqualTo(201);
                    assertThat(client.body().has("client_secret")).isFalse();
                }),
                requirement("client ID metadata documents: not supported, and the metadata says so", () -> {
                    assertThat(root.get(METADATA)
                                    .body()
                                    .path("client_id_metadata_document_supported")
                                    .toString())
                            .isEqualTo("false");
                    assertThat(authorized(client(), Map.of("client_id", "https://app.example/client.json"))
                                    .text("/error"))
                            .isEqualTo("invalid_client");
                }),
                requirement("redirect URIs are compared exactly, and loopback or https", () -> {
                    assertThat(authorized(client(), Map.of("redirect_uri", BACK + "&more=1"))
                                    .text("/error"))
                            .isEqualTo("invalid_request");
                    var plain = registration();
                    plain.putArray("redirect_uris").add("http://app.example/callback");
                    assertThat(root.post("/register", plain).status()).isEqualTo(400);
                }),
                requirement("OAuth 2.1, 4.3.1: the refresh token of a public client rotates", () -> {
                    var client = client("none");
                    var first = exchanged(client);
                    var second = form("/token", Map.of(), refresh(first, client));
                    assertThat(second.status()).as("%s", second).isEqualTo(200);
                    assertThat(second.text("/refresh_token")).isNotEqualTo(first.text("/refresh_token"));
                    var third = form("/token", Map.of(), refresh(second, client));
                    assertThat(third.status()).isEqualTo(200);
                    assertThat(form("/token", Map.of(), refresh(first, client)).text("/error"))
                            .isEqualTo("invalid_grant");
                    assertThat(form("/token", Map.of(), refresh(third, client)).text("/error"))
                            .as("the reuse ended the grant")
                            .isEqualTo("invalid_grant");
                }),
                requirement("OAuth 2.1: access tokens live for minutes, and no cache stores them", () -> {
                    var tokens = exchanged(client("none"));
                    assertThat(tokens.body().path("expires_in").asInt()).isBetween(60, 3600);
                    assertThat(tokens.text("/token_type")).isEqualToIgnoringCase("bearer");
                    assertThat(tokens.headers().firstValue("Cache-Control")).contains("no-store");
                }),
                requirement("a token in the query is not accepted", () -> {
                    var token = exchanged(client("none")).text("/access_token");
                    assertThat(root.post("/mcp?access_token=" + token, Json.object())
                                    .status())
                            .isEqualTo(401);
                }),
                requirement("a code is used once, and only with its verifier", () -> {
                    var client = client("none");
                    var code = granted(client).get("code");
                    var form = with(codeForm(code), Map.of("client_id", client.text("/client_id")));
                    var wrong = with(form, Map.of("code_verifier", VERIFIER + "x"));
                    assertThat(form("/token", Map.of(), wrong).text("/error")).isEqualTo("invalid_grant");
                    var right =
                            with(codeForm(granted(client).get("code")), Map.of("client_id", client.text("/client_id")));
                    assertThat(form("/token", Map.of(), right).status()).isEqualTo(200);
                    assertThat(form("/token", Map.of(), right).text("/error")).isEqualTo("invalid_grant");
                }),
                requirement("grant types other than the advertised ones are refused", () -> {
                    for (var type : new String[] {"password", "client_credentials", "implicit"}) {
                        assertThat(token(client(), Map.of(), Map.of("grant_type", type))
                                        .text("/error"))
                                .isEqualTo("unsupported_grant_type");
                    }
                    assertThat(authorized(client(), Map.of("response_type", "token"))
                                    .text("/error"))
                            .isEqualTo("unsupported_response_type");
                }));
    }
}
