package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Identity providers of a platform, OpenID Connect and SAML, which are valid for its domain only. */
class PlatformProviderIT extends SignOnBench {
    private static final String FORM = "application/x-www-form-urlencoded";

    private static final SamlPeer SAML = SamlPeer.create();

    private static ObjectNode flags() {
        return (ObjectNode) server.anonymous().get("/v1/flags").body();
    }

    @Test
    void offersGoogleOnlyWhereThePlatformDoes() {
        // when
        var before =
                flags().at("/THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP/google").asBoolean();
        change(Json.object().put("googleAuthEnabled", false));
        var without =
                flags().at("/THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP/google").asBoolean();
        var login = server.anonymous().get("/v1/authn/federated/login?providerName=google");
        change(Json.object().put("googleAuthEnabled", true));

        // then
        assertThat(before).isTrue();
        assertThat(without).isFalse();
        assertThat(login.status()).isEqualTo(404);
        assertThat(flags().path("SAML_AUTH_ACS_URL").asText()).endsWith("/api/v1/authn/saml/acs");
    }

    @Test
    void letsThePlatformsOwnProvidersSpeakForItsDomainOnly() {
        // given
        var changes = Json.object().put("ssoDomain", " Corp.Example ");
        var providers = changes.putObject("federatedAuthProviders");
        providers
                .putObject("oidc")
                .put("issuer", oidc.issuer())
                .put("clientId", "own")
                .put("clientSecret", "own-secret");
        providers.putObject("saml").put("idpMetadata", SamlPeer.metadata()).put("idpCertificate", SAML.pem());

        // when
        var changed = change(changes);
        var unproved = enter("oidc", "new@corp.example", claims -> claims);
        var notThere = admin.api().post("/v1/platforms/" + admin.platformId() + "/sso-domain/verify", Json.object());
        server.execute("""
                update platform set sso_domain_verification = sso_domain_verification || '{"status": "VERIFIED"}'
                """);
        var proved = enter("oidc", "new@corp.example", claims -> (ObjectNode) claims.without("email_verified"));
        var foreign = enter("oidc", "grace@other.example", claims -> claims);
        var shown = admin.api().get("/v1/platforms/" + admin.platformId()).body();

        // then
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

        // when they are removed
        var none = Json.object().putNull("ssoDomain");
        none.putObject("federatedAuthProviders").putNull("saml").putNull("oidc");
        var gone = change(none);

        // then
        assertThat(gone.body().at("/federatedAuthProviders").isNull()).isTrue();
        assertThat(gone.body().at("/ssoDomainVerification").isNull()).isTrue();
        assertThat(server.anonymous().get("/v1/authn/saml/login").status()).isEqualTo(404);
    }

    private static void signsInBySaml() {
        // when
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

        var ended = SamlPeer.response(
                here, ask(), "lin@corp.example", server.clock().instant());
        SamlPeer.endSession(ended, server.clock().instant().minusSeconds(1).toString());
        var brief = SamlPeer.response(
                here, ask(), "lin@corp.example", server.clock().instant());
        SamlPeer.endSession(brief, server.clock().instant().plusSeconds(600).toString());

        // then
        assertThat(bring(SAML.brought(ended, _ -> {})).text("/code")).isEqualTo("INVALID_SAML_RESPONSE");
        assertThat(tokenLifetimeSeconds(bring(SAML.brought(brief, _ -> {})))).isEqualTo(600);
        assertThat(unasked.status()).isEqualTo(400);
        assertThat(unasked.text("/code")).isEqualTo("INVALID_SAML_RESPONSE");
        assertThat(foreign.text("/code")).isEqualTo("DOMAIN_NOT_ALLOWED");
        assertThat(entered.status()).isEqualTo(302);
        var target = URI.create(entered.headers().firstValue("Location").orElseThrow());
        assertThat(target.getPath()).isEqualTo("/authenticate");
        // The redirect target of an attacker is ignored.
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

    private static long tokenLifetimeSeconds(ApiClient.Answer entered) {
        var set = entered.headers().firstValue("Set-Cookie").orElseThrow();
        var cookie = set.substring(0, set.indexOf(';'));
        var headers = Map.of("Cookie", cookie, "Origin", "http://localhost:" + server.port());
        var taken = server.anonymous().send("POST", "/v1/authn/hand-over", headers, "");
        var session = taken.headers().allValues("Set-Cookie").stream()
                .filter(text -> text.startsWith("millrace_session=ey"))
                .findFirst()
                .orElseThrow();
        var claims = Json.trusted(Base64.getUrlDecoder().decode(session.split("\\.", -1)[1]));
        return claims.path("exp").asLong() - server.clock().instant().getEpochSecond();
    }

    /** The token is in a cookie for the console only. */
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

    /** The provider's encryption key for this server, from the metadata. */
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

    /** Id of the authentication request in the browser's redirect. */
    private static String ask() {
        var sent = server.anonymous().get("/v1/authn/saml/login");
        assertThat(sent.status()).isEqualTo(302);
        var target = sent.headers().firstValue("Location").orElseThrow();
        assertThat(target).startsWith(SamlPeer.SIGN_IN + "&SAMLRequest=");
        return SamlPeer.questionIn(URI.create(target).getRawQuery());
    }

    @Test
    void refusesProvidersThatAreNone() {
        // given
        var bad = Json.object().put("ssoDomain", "gmail.com");
        var providers = bad.putObject("federatedAuthProviders");
        providers.putObject("oidc").put("issuer", "ftp://x").put("clientId", "").put("clientSecret", "s");
        var saml = Json.object();
        saml.putObject("federatedAuthProviders")
                .putObject("saml")
                .put("idpMetadata", "<!DOCTYPE x []><x/>")
                .put("idpCertificate", "no certificate");

        // when
        var answer = change(bad);
        var samlAnswer = change(saml);

        // then
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
