package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tokens that the MCP server of the platform accepts, and their expiry. */
final class McpGuestAccessIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn mill = ada.inTeam("Mill");

    @Test
    void refusesTokensThatAreForSomethingElse() {
        // given
        var one = "/api/v1/mcp/" + mill.projectId() + "/http";
        var other = "/api/v1/mcp/" + ada.projectId() + "/http";
        var guest = McpGuest.of(server, mill, "/mcp");
        var ofProject = McpGuest.of(server, mill, one);

        // then each is valid for its own audience only
        assertThat(guest.at("/mcp").ping().status()).isEqualTo(200);
        assertThat(guest.at("/api/mcp").ping().status()).isEqualTo(200);
        assertThat(ofProject.at(one).ping().status()).isEqualTo(200);
        for (var elsewhere :
                List.of(guest.at("/mcp/platform"), guest.at(one), ofProject.at(other), ofProject.at("/mcp"))) {
            assertInvalid(elsewhere.ping());
        }
        assertThat(server.anonymous()
                        .with(guest.accessToken())
                        .get("/v1/projects")
                        .status())
                .isEqualTo(401);
        var key = ada.api()
                .post("/v1/api-keys", Json.object().put("displayName", "k"))
                .text("/value");
        for (var token : List.of(key, userToken(), guest.tokens().text("/refresh_token"), "a.b.c", "..", ".")) {
            assertInvalid(McpClient.of(server.anonymous().atRoot().with(token), "/mcp")
                    .ping());
        }
        assertThat(server.anonymous().with(tokenOfServer()).get("/v1/projects").status())
                .isEqualTo(401);
    }

    private static String userToken() {
        return server.anonymous()
                .post(
                        "/v1/authentication/sign-in",
                        Json.object().put("email", "ada@example.com").put("password", "correct horse"))
                .text("/token");
    }

    private static String tokenOfServer() {
        return mill.api().get("/v1/mcp/" + mill.projectId()).text("/token");
    }

    private static void assertInvalid(Answer answer) {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/code")).isEqualTo("INVALID_BEARER_TOKEN");
        assertThat(answer.headers().firstValue("WWW-Authenticate").orElseThrow())
                .startsWith("Bearer error=\"invalid_token\", resource_metadata=\"http://127.0.0.1:");
    }

    @Test
    void refusesForgedTokens() {
        // given
        var parts = McpGuest.of(server, mill, "/mcp").accessToken().split("\\.", -1);
        var claims = (ObjectNode) Json.trusted(Base64.getUrlDecoder().decode(parts[1]));
        var bare = claims.deepCopy();
        var signedByOthers = new AccessTokens("the secret of another server", server.clock())
                .issue("mcp_oauth", bare, Duration.ofMinutes(15));
        var otherType = new AccessTokens(TestServer.JWT_SECRET, server.clock())
                .issue("mcp_auth_request", claims.deepCopy(), Duration.ofMinutes(15));
        var noGrant = new AccessTokens(TestServer.JWT_SECRET, server.clock())
                .issue("mcp_oauth", claims.deepCopy().put("grantId", Ids.next()), Duration.ofMinutes(15));
        var none = encoded("{\"alg\":\"none\"}") + "." + parts[1] + ".";
        var noneSigned = encoded("{\"alg\":\"none\",\"typ\":\"JWT\"}") + "." + parts[1] + "." + parts[2];
        var confused = encoded("{\"alg\":\"RS256\"}") + "." + parts[1] + "." + parts[2];
        var wider = parts[0] + "." + encoded(Json.text(claims.deepCopy().putNull("projectId"))) + "." + parts[2];
        var lists = new AccessTokens(TestServer.JWT_SECRET, server.clock());
        var manyAudiences = claims.deepCopy();
        manyAudiences.putArray("aud").add(claims.path("aud").asText());

        // then
        for (var token : List.of(
                signedByOthers,
                otherType,
                noGrant,
                none,
                noneSigned,
                confused,
                wider,
                lists.issue("mcp_oauth", manyAudiences, Duration.ofMinutes(15)),
                parts[0] + "." + parts[1],
                parts[0] + "." + parts[1] + "." + parts[2] + ".x",
                "a." + "b".repeat(7_000) + ".c",
                "a." + "b".repeat(12_000) + ".c")) {
            assertInvalid(McpClient.of(server.anonymous().atRoot().with(token), "/mcp")
                    .ping());
        }
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void endsWithTheTimeOfATokenAndWithItsGrant() {
        // given
        var guest = McpGuest.of(server, mill, "/mcp");
        assertThat(guest.at("/mcp").ping().status()).isEqualTo(200);

        // when
        server.clock().advance(Duration.ofMinutes(15));

        // then
        assertInvalid(guest.at("/mcp").ping());
        var fresh = McpClient.of(guest.root().with(guest.refresh().text("/access_token")), "/mcp");
        assertThat(fresh.ping().status()).isEqualTo(200);
        assertThat(guest.revoke().status()).isEqualTo(200);
        assertInvalid(fresh.ping());
    }

    @Test
    void opensOneProject_whenItsServerWasAskedFor() {
        var one = "/api/v1/mcp/" + mill.projectId() + "/http";

        var described = server.anonymous().atRoot().get("/.well-known/oauth-protected-resource" + one);
        var unnamed = McpGuest.of(server, ada.api(), one, Optional.empty());
        assertThat(described.text("/resource")).isEqualTo("http://127.0.0.1:" + server.port() + one);
        assertThat(unnamed.at(one).ping().status()).isEqualTo(200);
        assertThat(unnamed.at(one).tool("ap_set_project_context").isMissingNode())
                .isTrue();
        assertThat(server.anonymous()
                        .atRoot()
                        .get("/.well-known/oauth-protected-resource/api/v1/mcp/x/http")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void takesNoOtherHostIntoItsAnswers_andNoTwoTokens() throws Exception {
        var ping = Json.text(McpClient.message("ping", Json.object()));
        var twice = raw("Authorization: Bearer a.b.c\r\nAuthorization: Bearer " + tokenOfServer() + "\r\n", ping);
        var evil = raw("Host: evil.example\" x=\"y\r\n", ping);
        var basic = raw("Authorization: Basic YTpi\r\n", ping);

        assertThat(twice).startsWith("HTTP/1.1 401");
        assertThat(basic).startsWith("HTTP/1.1 401");
        assertThat(evil).startsWith("HTTP/1.1 4").doesNotContain("x=\"y").doesNotContain("evil.example\"");
    }

    /** Sends a raw request with headers that HTTP clients refuse to send. */
    private static String raw(String headers, String body) throws IOException {
        var host = headers.startsWith("Host:") ? "" : "Host: 127.0.0.1:" + server.port() + "\r\n";
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("POST /mcp HTTP/1.1\r\n" + host + headers + "Content-Type: application/json\r\n"
                                    + "Connection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
