package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.millrace.support.ApiClient;
import io.millrace.support.RecordedLog;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SignOnIT extends SignOnBench {
    private static void invite(String email) {
        server.execute("""
                insert into user_invitation (id, created, updated, email, status, type, platform_id, platform_role)
                values ($1, now(), now(), $2, 'ACCEPTED', 'PLATFORM', $3, 'MEMBER')
                """, Ids.next(), email, admin.platformId());
    }

    private static void refused(ApiClient.Answer answer) {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/code")).isEqualTo("INVALID_CREDENTIALS");
    }

    @Test
    void signsInvitedPeopleInWithGoogle_andFindsThemAgain() {
        // Given
        invite("grace@gmail.com");

        // When
        var stranger = enter("google", "eve@gmail.com", claims -> claims);
        var first = enter("google", "Grace@gmail.com", claims -> claims.put("picture", "https://g.example/p.png"));
        var again = enter("google", "grace@gmail.com", claims -> claims);
        var owner = enter("google", "ada@corp.example", claims -> claims);

        // Then
        assertThat(stranger.status()).isEqualTo(403);
        assertThat(stranger.text("/code")).isEqualTo("INVITATION_ONLY_SIGN_UP");
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.text("/email")).isEqualTo("grace@gmail.com");
        assertThat(first.text("/verified")).isEqualTo("true");
        assertThat(again.text("/id")).isEqualTo(first.text("/id"));
        assertThat(owner.text("/id")).isEqualTo(admin.userId());
        assertThat(server.anonymous()
                        .with(first.text("/token"))
                        .get("/v1/projects/" + first.text("/projectId"))
                        .status())
                .isEqualTo(200);
        assertThat(enterByThinToken("ada@corp.example").text("/id")).isEqualTo(admin.userId());
        refused(enterByThinToken("somebody-else@corp.example"));
        assertThat(oidc.authorizations)
                .contains("Bearer a")
                .contains("Basic "
                        + Base64.getEncoder().encodeToString("mill:a%2Fsecret".getBytes(StandardCharsets.UTF_8)));
        assertThat(server.count(
                        "select count(*) from audit_event where user_id = $1 and action = 'user.signed.up'"
                                + " and body::json->'data'->>'source' = 'sso'",
                        first.text("/id")))
                .isEqualTo(1);
    }

    /** The ID token identifies a user whose address only the user info endpoint returns. */
    private static ApiClient.Answer enterByThinToken(String subjectElsewhere) {
        oidc.told = Json.object()
                .put("sub", subjectElsewhere)
                .put("email", "ada@corp.example")
                .put("email_verified", true);
        return enter("google", "ada@corp.example", claims -> (ObjectNode) claims.without("email"));
    }

    @Test
    void asksAsTheStandardSays() {
        // When
        var browser = SignOnAttempt.begin("google");
        var asked = OidcPeer.query(URI.create(browser.loginUrl()).getRawQuery());

        // Then
        assertThat(browser.loginUrl()).startsWith(oidc.issuer() + "/authorize?");
        assertThat(asked)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "mill")
                .containsEntry("code_challenge_method", "S256")
                .containsKeys("state", "nonce", "code_challenge");
        assertThat(asked.get("redirect_uri")).endsWith("/redirect");
        assertThat(asked.get("scope")).contains("openid").contains("email");
    }

    @Test
    void refusesAnswersThatThisBrowserDidNotAskFor() {
        // Given
        var mine = SignOnAttempt.begin("google");
        var other = SignOnAttempt.begin("google");
        var code = oidc.agree(other.loginUrl(), "ada@corp.example", claims -> claims);

        // Then
        refused(mine.claim("google", code, other.state()));
        refused(mine.claim("google", code, null));
        refused(new SignOnAttempt("", "millrace_sign_on=x").claim("google", code, other.state()));
        refused(other.claim("oidc", code, other.state()));
        refused(other.claim("saml", code, other.state()));
        refused(other.claim("google", "made-up", other.state()));
        assertThat(other.claim("github", code, other.state()).status()).isEqualTo(400);
        assertThat(server.anonymous()
                        .get("/v1/authn/federated/login?providerName=saml")
                        .status())
                .isEqualTo(400);

        // When the ticket is too old
        var slow = SignOnAttempt.begin("google");
        var late = oidc.agree(slow.loginUrl(), "ada@corp.example", claims -> claims);
        server.clock().advance(Duration.ofMinutes(11));

        // Then
        refused(slow.claim("google", late, slow.state()));
    }

    @Test
    void refusesTokensThatAreNotGood() {
        // Given
        var other = RsaKeys.generate(2048).getPrivate();
        var none = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));

        // Then
        refused(enter("google", "ada@corp.example", claims -> claims.put("iss", "https://evil.example")));
        refused(enter("google", "ada@corp.example", claims -> claims.put("aud", "somebody-else")));
        refused(enter("google", "ada@corp.example", claims -> claims.put("nonce", "other")));
        refused(enter("google", "ada@corp.example", claims -> claims.put("exp", 1)));
        refused(enter("google", "ada@corp.example", claims -> claims.put("email_verified", false)));
        oidc.signed = token ->
                RsaToken.issue("k1", other, RsaToken.parse(token).orElseThrow().claims());
        refused(enter("google", "ada@corp.example", claims -> claims));
        oidc.signed = token -> none + "." + token.split("\\.")[1] + ".";
        refused(enter("google", "ada@corp.example", claims -> claims));
        oidc.signed = token -> token.substring(0, token.lastIndexOf('.')) + ".";
        refused(enter("google", "ada@corp.example", claims -> claims));
        oidc.signed = token -> "";
        refused(enter("google", "ada@corp.example", claims -> claims));
    }

    @Test
    void saysOnceWhyItRefused_andNothingThatOpensADoor() {
        // Given
        var shown = new AtomicReference<String>();
        oidc.signed = token -> {
            shown.set(token.substring(0, token.lastIndexOf('.')));
            return shown.get() + ".AAAA";
        };
        var browser = SignOnAttempt.begin("google");
        var code = oidc.agree(browser.loginUrl(), "ada@corp.example", claims -> claims);

        try (var log = RecordedLog.of("io.millrace")) {
            // When
            refused(browser.claim("google", code, browser.state()));

            // Then
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("sign-in with google failed"))
                    .hasSize(1);
            assertThat(log.lines())
                    .noneMatch(line -> Stream.of(shown.get(), code, browser.state(), "a/secret")
                            .anyMatch(line::contains));
        }
    }

    @Test
    void givesUpOnKeysThatNeverCome() {
        // Given
        oidc.holdsKeys = true;

        // Then
        refused(enter("google", "ada@corp.example", claims -> claims));
    }
}
