package io.millrace.workspace.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.OpenServer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** OAuth clients of a platform, the redirect to a provider, and its callback. */
class OAuthRoutesIT extends OpenServer {
    private static final String ALL = "/v1/oauth-apps";
    private static final String SECRET = "the-client-keeps-this";

    @Test
    void keepsOneClientForEachPiece_withoutShowingItsSecret() {
        // When
        var first = admin.api().post(ALL, request("one", "client-1"));
        var second = admin.api().post(ALL, request("one", "client-2"));
        var listed = admin.api().get(ALL);

        // Then
        assertThat(first.status()).isEqualTo(200);
        assertThat(second.text("/id")).isEqualTo(first.text("/id"));
        assertThat(second.text("/clientId")).isEqualTo("client-2");
        assertThat(listed.body().path("data").findValuesAsText("clientId")).contains("client-2");
        assertThat(first.body().toString() + listed.body()).doesNotContain(SECRET, "client-1\",\"s");
        assertThat(server.count(
                        "select count(*) from oauth_app where id = $1 and position($2::bytea in sealed_secret) = 0",
                        first.text("/id"),
                        SECRET.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(1);
    }

    @Test
    void leadsThroughTheSetUpOfAPiece_thatNeedNotBeHere() {
        var slack = admin.api().get(ALL + "/setup?pieceName=@activepieces/piece-slack");
        var http = admin.api().get(ALL + "/setup?pieceName=@activepieces/piece-http");
        var nothing = admin.api().get(ALL + "/setup?pieceName=@acme/piece-nothing");

        assertThat(slack.text("/redirectUrl")).endsWith("/redirect");
        assertThat(slack.body().path("scopes")).isNotEmpty();
        assertThat(slack.text("/guide/0")).contains("Slack", "slack.com");
        assertThat(slack.text("/guide/1")).endsWith(slack.text("/redirectUrl"));
        assertThat(http.status()).isEqualTo(409);
        assertThat(nothing.status()).isEqualTo(404);
    }

    @Test
    void deletesForGood() {
        // Given
        var id = admin.api().post(ALL, request("deleted", "client")).text("/id");

        // Then
        assertThat(admin.api().delete(ALL + "/" + id).status()).isEqualTo(200);
        assertThat(admin.api().delete(ALL + "/" + id).status()).isEqualTo(404);
    }

    @Test
    void guardsClients() {
        // Given
        var id = admin.api().post(ALL, request("guarded", "client")).text("/id");
        var member = server.signUp("mel@example.com", "Mel");
        var key = admin.api()
                .with(admin.api()
                        .post("/v1/api-keys", Json.object().put("displayName", "key"))
                        .text("/value"));

        // Then
        assertThat(member.api().get(ALL).status()).isEqualTo(200);
        assertThat(member.api().post(ALL, request("x", "client")).status()).isEqualTo(403);
        assertThat(member.api().delete(ALL + "/" + id).status()).isEqualTo(403);
        assertThat(key.get(ALL).status()).isEqualTo(403);
        assertThat(admin.api().delete(ALL + "/" + Ids.next()).status()).isEqualTo(404);
        for (var field : new String[] {"pieceName", "clientId", "clientSecret"}) {
            var refused = admin.api().post(ALL, request("x", "client").put(field, ""));
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("/message")).startsWith("body/" + field + " ");
        }
    }

    @Test
    void refusesTheWayToAProvider_forPiecesWithoutOne() {
        // Given
        var request = Json.object()
                .put("pieceName", "@activepieces/piece-http")
                .put("clientId", "mill")
                .put("redirectUrl", "https://mill.example.com/redirect");
        var path = "/v1/app-connections/oauth2/authorization-url";

        // Then
        assertThat(admin.api().post(path, request).status()).isEqualTo(409);
        assertThat(admin.api()
                        .post(path, request.deepCopy().put("pieceName", "@nobody/piece-none"))
                        .status())
                .isEqualTo(404);
        assertThat(admin.api()
                        .post(path, request.deepCopy().put("clientId", ""))
                        .status())
                .isEqualTo(400);
        assertThat(server.anonymous().post(path, request).status()).isEqualTo(403);
    }

    @Test
    void handsTheCodeOver_andPutsNothingOfTheCallerIntoThePage() {
        // When
        var page = server.anonymous().get("/redirect?code=%3Cscript%3Ealert(1)%3C/script%3E");
        var text = server.anonymous().get("/redirect?state=s");
        var refusal = server.anonymous().get("/redirect?error=%3Cscript%3Ealert(1)%3C/script%3E&state=s");

        // Then
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body().asText()).contains("postMessage").doesNotContain("alert(1)");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'")
                .contains("script-src 'sha256-");
        assertThat(text.body().asText()).isEqualTo("The code is missing in url");
        assertThat(refusal.body().asText())
                .contains("refused access", "postMessage")
                .doesNotContain("alert(1)");
    }

    private static ObjectNode request(String piece, String clientId) {
        return Json.object()
                .put("pieceName", "@test/piece-" + piece)
                .put("clientId", clientId)
                .put("clientSecret", SECRET);
    }
}
