package io.millrace.workspace.oauth;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.Waiting;
import io.millrace.support.outside.HostileOutside;
import io.millrace.support.outside.HostilePeer;
import io.millrace.workspace.oauth.OAuthFailure.Kind;
import java.time.InstantSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious token endpoints: memory exhaustion, SSRF and invalid tokens. */
@HostileKind("OAuth token endpoint")
final class HostileTokenEndpointTest {
    private static final String SECRET = "the-client-keeps-this";

    @AutoClose
    private final HostileOutside outside = HostileOutside.open();

    private final HostilePeer peer = outside.peer();
    private final TokenExchange exchange = new TokenExchange(outside.vertx(), outside.http(), InstantSource.system());

    private ObjectNode renewed(String url) {
        var value = Json.object()
                .put("token_url", url)
                .put("client_id", "mill")
                .put("authorization_method", "HEADER")
                .put("access_token", "old")
                .put("refresh_token", "r");
        return await(exchange.renew(value, SECRET));
    }

    private OAuthFailure failure(String url) {
        var failure = catchThrowableOfType(OAuthFailure.class, () -> renewed(url));
        assertThat(failure).isNotNull();
        assertThat(failure.getMessage()).doesNotContain(SECRET).doesNotContainPattern("\\p{Cntrl}");
        return failure;
    }

    private void refused() {
        assertThat(failure(peer.url()).kind()).isIn(Kind.REFUSED, Kind.UNCLEAR);
    }

    @Test
    void readsNoMoreThanATokenIsLong() {
        peer.sayWithoutEnd(200);

        assertThat(failure(peer.url()).kind()).isEqualTo(Kind.UNANSWERED);

        Waiting.until("the connection is given up", peer.isGivenUp::get);
        peer.answer(request ->
                request.response().putHeader("Content-Length", "999999999999").write("{"));
        assertThat(failure(peer.url()).kind()).isEqualTo(Kind.UNANSWERED);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void sendsTheSecretToNoOtherServer(int status) {
        for (var location : peer.forbidden()) {
            peer.redirect(status, location);
            refused();
        }
        peer.redirect(status, peer.url() + "/elsewhere");
        refused();
        assertThat(peer.asked).doesNotContain("POST /elsewhere", "GET /elsewhere");
    }

    @Test
    void asksNoAddressThatItMayNot() {
        for (var url : peer.forbidden()) {
            assertThat(failure(url).kind()).isIn(Kind.UNANSWERED, Kind.REFUSED);
        }
    }

    /** A renewal without a token must not make the old token look new. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "'a'",
                "",
                "{'access_token':null}",
                "{'access_token':''}",
                "{'access_token':7}",
                "{'access_token':{}}",
                "{'access_token':['a']}",
                "{'error':'invalid_grant'}",
                "{'error':'invalid_grant','access_token':null}",
                "{'error':'invalid_grant','more':{'access_token':'a'}}",
                "{'access_token':'a\\r\\nX-Admin: 1'}",
                "{'access_token':'a\\u0000b'}",
                "{'access_token':'a\\u007f'}",
                "{'access_token':'a\\u0085'}",
                "{'more':{'access_token':'a\\n'}}",
                "{'access_token':'a'} trailing",
                "<html>access_token</html>",
                "access_token=a%0d%0ab",
                "access_token=%zz"
            })
    void refusesWhatIsNoToken_thoughTheStatusIsGood(String body) {
        for (var type : new String[] {"application/json", "text/html", "application/octet-stream"}) {
            peer.say(200, type, body);
            refused();
        }
    }

    @Test
    void acceptsATokenOfAnyType() {
        for (var type : new String[] {"application/json", "text/html", "text/javascript; charset=utf-7", ""}) {
            peer.say(200, type, "{'access_token':'a.b-c~/+='}");
            assertThat(renewed(peer.url()).path("access_token").asText()).isEqualTo("a.b-c~/+=");
        }
        peer.say(200, "application/json", "{'ok':true,'authed_user':{'access_token':'u'}}");
        assertThat(renewed(peer.url()).at("/data/authed_user/access_token").asText())
                .isEqualTo("u");
    }

    @Test
    void repeatsARefusalOnOneLine_andNotWhole() {
        peer.say(
                400,
                "application/json",
                "{'error':'invalid_grant','error_description':'x\\r\\n2026 ERROR forged \\u202e\\u2028"
                        + "y".repeat(9_000) + "'}");

        var failure = failure(peer.url());

        assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        assertThat(failure.getMessage())
                .startsWith("invalid_grant: x 2026 ERROR forged y")
                .hasSizeLessThanOrEqualTo(300);
    }

    @Test
    void refusesClaimsInEachOtherWithoutEnd() {
        peer.say(200, "application/json", "{'access_token':'a','deep':" + "[".repeat(5_000) + "]".repeat(5_000) + "}");
        refused();
    }
}
