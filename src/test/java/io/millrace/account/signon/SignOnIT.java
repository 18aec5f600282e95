package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.millrace.support.ApiClient;
import io.millrace.support.RecordedLog;
import io.millrace.support.TestServer;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SignOnIT {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final SamlPeer SAML = SamlPeer.create();

    private static OidcPeer oidc;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        oidc = new OidcPeer(() -> server.clock().instant());
        server = TestServer.start(Map.of(
                "AP_GOOGLE_CLIENT_ID", "mill",
                "AP_GOOGLE_CLIENT_SECRET", "a/secret",
                "AP_GOOGLE_ISSUER_URL", oidc.issuer(),
                "AP_SSRF_ALLOW_LIST", "127.0.0.1"));
        admin = server.signUp("ada@corp.example", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
        oidc.close();
    }

    @AfterEach
    void calm() {
        oidc.signed = token -> token;
        oidc.holdsKeys = false;
    }

    /** A browser: what it was sent to, and its cookie. */
    private record Browser(String loginUrl, String cookie) {
        static Browser begin(String provider) {
            var answer = server.anonymous().get("/v1/authn/federated/login?providerName=" + provider);
            assertThat(answer.status()).isEqualTo(200);
            var cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).containsIgnoringCase("HttpOnly").contains("SameSite=Lax");
            return new Browser(answer.text("/loginUrl"), cookie.substring(0, cookie.indexOf(';')));
        }

        ApiClient.Answer claim(String provider, String code, String state) {
            var body = Json.object().put("providerName", provider).put("code", code);
            if (state != null) {
                body.put("state", state);
            }
            return server.anonymous()
                    .send(
                            "POST",
                            "/v1/authn/federated/claim",
                            Map.of("Content-Type", "application/json", "Cookie", cookie),
                            Json.text(body));
        }

        String state() {
            return OidcPeer.query(URI.create(loginUrl).getRawQuery()).get("state");
        }
    }

    private static ApiClient.Answer enter(String provider, String email, UnaryOperator<ObjectNode> change) {
        var browser = Browser.begin(provider);
        return browser.claim(provider, oidc.agree(browser.loginUrl(), email, change), browser.state());
    }

    private static ObjectNode flags() {
        return (ObjectNode) server.anonymous().get("/v1/flags").body();
    }

    private static ApiClient.Answer change(JsonNode changes) {
        return admin.api().post("/v1/platforms/" + admin.platformId(), changes);
    }

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

    /** The provider's token names a person whose address it tells elsewhere. */
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
        var browser = Browser.begin("google");
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
        var mine = Browser.begin("google");
        var other = Browser.begin("google");
        var code = oidc.agree(other.loginUrl(), "ada@corp.example", claims -> claims);

        // Then
        refused(mine.claim("google", code, other.state()));
        refused(mine.claim("google", code, null));
        refused(new Browser("", "millrace_sign_on=x").claim("google", code, other.state()));
        refused(other.claim("oidc", code, other.state()));
        refused(other.claim("saml", code, other.state()));
        refused(other.claim("google", "made-up", other.state()));
        assertThat(other.claim("github", code, other.state()).status()).isEqualTo(400);
        assertThat(server.anonymous()
                        .get("/v1/authn/federated/login?providerName=saml")
                        .status())
                .isEqualTo(400);

        // When the ticket is too old
        var slow = Browser.begin("google");
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
        var browser = Browser.begin("google");
        var code = oidc.agree(browser.loginUrl(), "ada@corp.example", claims -> claims);

        try (var log = RecordedLog.of("io.millrace")) {
            // When
            refused(browser.claim("google", code, browser.state()));

            // Then
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("a sign-in with google failed"))
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

    @Test
    void offersGoogleOnlyWhereThePlatformDoes() {
        // When
        var before =
                flags().at("/THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP/google").asBoolean();
        change(Json.object().put("googleAuthEnabled", false));
        var without =
                flags().at("/THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP/google").asBoolean();
        var login = server.anonymous().get("/v1/authn/federated/login?providerName=google");
        change(Json.object().put("googleAuthEnabled", true));

        // Then
        assertThat(before).isTrue();
        assertThat(without).isFalse();
        assertThat(login.status()).isEqualTo(404);
        assertThat(flags().path("SAML_AUTH_ACS_URL").asText()).endsWith("/api/v1/authn/saml/acs");
    }

    @Test
    void letsThePlatformsOwnProvidersSpeakForItsDomainOnly() {
        // Given
        var changes = Json.object().put("ssoDomain", " Corp.Example ");
        var providers = changes.putObject("federatedAuthProviders");
        providers
                .putObject("oidc")
                .put("issuer", oidc.issuer())
                .put("clientId", "own")
                .put("clientSecret", "own-secret");
        providers.putObject("saml").put("idpMetadata", SamlPeer.metadata()).put("idpCertificate", SAML.pem());

        // When
        var changed = change(changes);
        var unproved = enter("oidc", "new@corp.example", claims -> claims);
        var notThere = admin.api().post("/v1/platforms/" + admin.platformId() + "/sso-domain/verify", Json.object());
        server.execute("""
                update platform set sso_domain_verification = sso_domain_verification || '{"status": "VERIFIED"}'
                """);
        var proved = enter("oidc", "new@corp.example", claims -> (ObjectNode) claims.without("email_verified"));
        var foreign = enter("oidc", "grace@other.example", claims -> claims);
        var shown = admin.api().get("/v1/platforms/" + admin.platformId()).body();

        // Then
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text("/ssoDomain")).isEqualTo("corp.example");
        assertThat(changed.text("/ssoDomainVerification/status")).isEqualTo("PENDING_VERIFICATION");
        assertThat(changed.text("/ssoDomainVerification/record/name")).isEqualTo("_millrace.corp.example");
        assertThat(unproved.text("/code")).isEqualTo("DOMAIN_NOT_ALLOWED");
        assertThat(notThere.status()).isEqualTo(409);
        assertThat(proved.status()).isEqualTo(200);
        assertThat(proved.text("/platformRole")).isEqualTo("MEMBER");
        assertThat(foreign.status()).isEqualTo(403);
        assertThat(foreign.text("/code")).isEqualTo("DOMAIN_NOT_ALLOWED");
        assertThat(shown.at("/federatedAuthProviders/saml").isObject()).isTrue();
        assertThat(Json.text(shown)).doesNotContain("own-secret").doesNotContain("CERTIFICATE");
        assertThat(flags().at("/THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP/saml").asBoolean())
                .isTrue();
        signsInBySaml();

        // When they are taken away
        var none = Json.object().putNull("ssoDomain");
        none.putObject("federatedAuthProviders").putNull("saml").putNull("oidc");
        var gone = change(none);

        // Then
        assertThat(gone.body().at("/federatedAuthProviders").isNull()).isTrue();
        assertThat(gone.body().at("/ssoDomainVerification").isNull()).isTrue();
        assertThat(server.anonymous().get("/v1/authn/saml/login").status()).isEqualTo(404);
    }

    private static void signsInBySaml() {
        // When
        var question = ask();
        var base = server.anonymous().get("/v1/authn/saml/metadata").body().asText();
        var here = base.replaceAll("(?s).*entityID=\"([^\"]*)/metadata\".*", "$1");
        var document = SamlPeer.response(
                here, question, "lin@corp.example", server.clock().instant());
        var response = SAML.brought(document, _ -> {});
        var unasked = bring(SAML.brought(
                SamlPeer.response(
                        here, "_never", "lin@corp.example", server.clock().instant()),
                _ -> {}));
        var foreign = bring(SAML.brought(
                SamlPeer.response(
                        here, ask(), "lin@other.example", server.clock().instant()),
                _ -> {}));
        var entered = bring(response);
        var replayed = bring(response);
        var encrypted = SamlPeer.response(
                here, ask(), "lin@corp.example", server.clock().instant());
        SAML.sign(SamlPeer.assertion(encrypted));
        SamlPeer.encrypt(SamlPeer.assertion(encrypted), keyIn(base), SamlPeer.Encryption.GCM);

        // Then
        assertThat(unasked.status()).isEqualTo(400);
        assertThat(unasked.text("/code")).isEqualTo("INVALID_SAML_RESPONSE");
        assertThat(foreign.text("/code")).isEqualTo("DOMAIN_NOT_ALLOWED");
        assertThat(entered.status()).isEqualTo(302);
        var target = URI.create(entered.headers().firstValue("Location").orElseThrow());
        assertThat(target.getPath()).isEqualTo("/authenticate");
        // Wherever a stranger would have the browser go next.
        assertThat(target.getHost()).isNotEqualTo("evil.example");
        assertThat(OidcPeer.query(target.getRawQuery()).get("response"))
                .contains("\"email\":\"lin@corp.example\"")
                .doesNotContain("token");
        takesOver(entered);
        assertThat(replayed.status()).isEqualTo(400);
        assertThat(keyIn(base))
                .isEqualTo(keyIn(
                        server.anonymous().get("/v1/authn/saml/metadata").body().asText()));
        assertThat(bring(SamlPeer.text(encrypted)).status()).isEqualTo(302);
        assertThat(bring("garbage").status()).isEqualTo(400);
        assertThat(server.anonymous()
                        .send("POST", "/v1/authn/saml/acs", Map.of("Content-Type", FORM), "RelayState=x")
                        .status())
                .isEqualTo(400);
    }

    /** The token waits in a cookie, for our own page only. */
    private static void takesOver(ApiClient.Answer entered) {
        var set = entered.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(set).startsWith("millrace_hand_over=ey").contains("HTTPOnly", "SameSite=Strict", "Max-Age=120");
        var cookie = set.substring(0, set.indexOf(';'));
        var own = "http://localhost:" + server.port();
        var path = "/v1/authn/hand-over";
        var client = server.anonymous();
        assertThat(client.send("POST", path, Map.of("Cookie", cookie), "").status())
                .isEqualTo(403);
        assertThat(client.send("POST", path, Map.of("Cookie", cookie, "Origin", "null"), "")
                        .status())
                .isEqualTo(403);
        assertThat(client.send("POST", path, Map.of("Origin", own), "").status())
                .isEqualTo(401);
        var taken = client.send("POST", path, Map.of("Cookie", cookie, "Origin", own), "");
        assertThat(taken.status()).isEqualTo(204);
        assertThat(taken.headers().allValues("Set-Cookie"))
                .anyMatch(text -> text.startsWith("millrace_session=ey"))
                .anyMatch(text -> text.startsWith("millrace_hand_over=;"));
    }

    /** The key to which a provider encrypts, as the metadata shows it. */
    private static PublicKey keyIn(String metadata) {
        var text = SamlPeer.document(metadata)
                .getElementsByTagNameNS("*", "X509Certificate")
                .item(0)
                .getTextContent();
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(
                            new ByteArrayInputStream(Base64.getDecoder().decode(text)))
                    .getPublicKey();
        } catch (CertificateException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static ApiClient.Answer bring(String response) {
        return server.anonymous()
                .send(
                        "POST",
                        "/v1/authn/saml/acs",
                        Map.of("Content-Type", FORM),
                        "RelayState=https%3A%2F%2Fevil.example%2F&SAMLResponse="
                                + URLEncoder.encode(response, StandardCharsets.UTF_8));
    }

    /** Id of the question that the browser is sent with. */
    private static String ask() {
        var sent = server.anonymous().get("/v1/authn/saml/login");
        assertThat(sent.status()).isEqualTo(302);
        var target = sent.headers().firstValue("Location").orElseThrow();
        assertThat(target).startsWith(SamlPeer.SIGN_IN + "&SAMLRequest=");
        var deflated = Base64.getDecoder()
                .decode(OidcPeer.query(URI.create(target).getRawQuery()).get("SAMLRequest"));
        try (var stream = new InflaterInputStream(new ByteArrayInputStream(deflated), new Inflater(true))) {
            var xml = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return SamlPeer.document(xml).getDocumentElement().getAttribute("ID");
        } catch (java.io.IOException notDeflated) {
            throw new AssertionError(notDeflated);
        }
    }

    @Test
    void refusesProvidersThatAreNone() {
        // Given
        var bad = Json.object().put("ssoDomain", "gmail.com");
        var providers = bad.putObject("federatedAuthProviders");
        providers.putObject("oidc").put("issuer", "ftp://x").put("clientId", "").put("clientSecret", "s");
        var saml = Json.object();
        saml.putObject("federatedAuthProviders")
                .putObject("saml")
                .put("idpMetadata", "<!DOCTYPE x []><x/>")
                .put("idpCertificate", "no certificate");

        // When
        var answer = change(bad);
        var samlAnswer = change(saml);

        // Then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/message"))
                .contains("ssoDomain")
                .contains("federatedAuthProviders/oidc/issuer")
                .contains("federatedAuthProviders/oidc/clientId");
        assertThat(samlAnswer.status()).isEqualTo(400);
        assertThat(samlAnswer.text("/message")).contains("saml/idpMetadata").contains("saml/idpCertificate");
        assertThat(change(Json.object().put("ssoDomain", "no domain")).status()).isEqualTo(400);
    }
}
