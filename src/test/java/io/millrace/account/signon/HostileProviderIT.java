package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.secret.RsaToken;
import io.millrace.hostile.HostileKind;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious OpenID providers and forged tokens: illegitimate sign-in, exhaustion of time or memory, and SSRF. */
@HostileKind("OpenID provider")
class HostileProviderIT extends HostileProviderBench {
    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String withHead(String token, ObjectNode head) {
        return encoded(Json.bytes(head)) + token.substring(token.indexOf('.'));
    }

    private static String signedBy(byte[] secret, ObjectNode head, String token) {
        var text = encoded(Json.bytes(head)) + "." + token.split("\\.")[1];
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return text + "." + encoded(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static ObjectNode head(String algorithm) {
        return Json.object().put("alg", algorithm).put("typ", "JWT");
    }

    /** The public key as an HMAC secret, in each form in which a library may keep it; and an empty key. */
    @Test
    void refusesATokenWhoseSecretIsPublic() {
        var key = OidcPeer.PAIR.getPublic().getEncoded();
        var pem = "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                + "\n-----END PUBLIC KEY-----";
        var modulus = OidcPeer.keys().at("/keys/0/n").asText();
        for (var secret : List.of(
                key,
                pem.getBytes(StandardCharsets.US_ASCII),
                (pem + "\n").getBytes(StandardCharsets.US_ASCII),
                modulus.getBytes(StandardCharsets.US_ASCII),
                Base64.getUrlDecoder().decode(modulus),
                new byte[] {0})) {
            for (var name : List.of("k1", "../../../../dev/null", "' or 1=1 --", "http://127.0.0.2/")) {
                oidc.signed = token -> signedBy(secret, head("HS256").put("kid", name), token);
                refused(enter(claims -> claims));
            }
        }
        entersAgain();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", "", "HS256", "HS512", "RS1", "EdDSA", "ES256"})
    void refusesATokenThatNamesAnotherAlgorithm(String algorithm) {
        oidc.signed = token -> withHead(token, head(algorithm).put("kid", "k1"));
        refused(enter(claims -> claims));
        oidc.signed = token -> withHead(token.substring(0, token.lastIndexOf('.') + 1), head(algorithm));
        refused(enter(claims -> claims));
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", ".e30"})
    void refusesATokenThatSomethingFollows(String rest) {
        oidc.signed = token -> token + rest;
        refused(enter(claims -> claims));
        oidc.signed = token -> token.substring(0, token.lastIndexOf('.') + 1) + rest;
        refused(enter(claims -> claims));
        entersAgain();
    }

    /** A token must neither contain the key that verifies it nor link to it. */
    @Test
    void takesNoKeyFromTheToken() {
        var forger = io.millrace.base.secret.RsaKeys.generate(2048);
        var address = "http://127.0.0.2:" + inner.actualPort() + "/keys";
        for (var change : List.<UnaryOperator<ObjectNode>>of(
                head -> head.put("jku", address),
                head -> head.put("x5u", address),
                head -> head.set("jwk", OidcPeer.keys().at("/keys/0")),
                head -> (ObjectNode) head.set(
                        "x5c", Json.array().add(encoded(forger.getPublic().getEncoded()))),
                head -> (ObjectNode) head.set("crit", Json.array().add("b64")))) {
            oidc.signed = token -> {
                var claims = RsaToken.parse(token).orElseThrow().claims();
                var head = change.apply(head("RS256").put("kid", "k1"));
                var text = encoded(Json.bytes(head)) + "." + encoded(Json.bytes(claims));
                return text + "." + signature(forger.getPrivate(), text);
            };
            refused(enter(claims -> claims));
        }
        entersAgain();
    }

    private static String signature(java.security.PrivateKey key, String text) {
        try {
            var signer = java.security.Signature.getInstance("SHA256withRSA");
            signer.initSign(key);
            signer.update(text.getBytes(StandardCharsets.US_ASCII));
            return encoded(signer.sign());
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void refusesWhatAsksForAnExtension_thoughTheProviderSignedIt() {
        oidc.signed = token -> {
            var head = head("RS256").put("kid", "k1");
            head.putArray("crit").add("exp");
            var text = encoded(Json.bytes(head)) + "." + token.split("\\.")[1];
            return text + "." + signature(OidcPeer.PAIR.getPrivate(), text);
        };
        refused(enter(claims -> claims));
    }

    private static ObjectNode keySet(ArrayNode keys) {
        return Json.object().set("keys", keys);
    }

    private static void showKeys(ObjectNode set) {
        oidc.instead.put("/tenant/keys", request -> request.response().end(Json.text(set)));
    }

    @Test
    void refusesMoreKeysThanAProviderHas() {
        // Given
        var keys = Json.array();
        for (var index = 1; index < ProviderKeys.KEYS_MAX; index++) {
            keys.addObject()
                    .put("kty", "RSA")
                    .put("kid", "other-" + index)
                    .put("n", "AQAB")
                    .put("e", "AQAB");
        }
        keys.add(OidcPeer.keys().at("/keys/0"));

        // Then
        showKeys(keySet(keys));
        assertThat(enter(claims -> claims).status()).isEqualTo(200);
        keys.insert(0, keys.get(0).deepCopy());
        showKeys(keySet(keys));
        refused(enter(claims -> claims));
    }

    /** Keys for which a check takes as long as a signature; all of them would be tried. */
    @Test
    void triesNoKeysThatAreDearToCheck() {
        var modulus = encoded(BigInteger.TWO.pow(3071).add(BigInteger.ONE).toByteArray());
        var keys = Json.array();
        for (var index = 0; index < 50; index++) {
            keys.addObject().put("kty", "RSA").put("n", modulus).put("e", modulus);
        }
        showKeys(keySet(keys));
        refused(enter(claims -> claims));
        keys.add(((ObjectNode) OidcPeer.keys().at("/keys/0")).put("kid", "k1"));
        showKeys(keySet(keys));
        assertThat(enter(claims -> claims).status()).isEqualTo(200);
    }

    @Test
    void refusesShortKeys_andThoseForEncryption() {
        var isForEncryption = (ObjectNode) OidcPeer.keys().at("/keys/0");
        showKeys(keySet(Json.array().add(isForEncryption.put("use", "enc"))));
        refused(enter(claims -> claims));
        showKeys(keySet(Json.array()
                .add(Json.object().put("kty", "oct").put("kid", "k1").put("k", "AAAA"))));
        refused(enter(claims -> claims));
        showKeys(keySet(Json.array()));
        refused(enter(claims -> claims));
    }

    @Test
    void refusesClaimsInEachOtherWithoutEnd() {
        oidc.signed = token -> {
            var claims = Json.text(RsaToken.parse(token).orElseThrow().claims());
            var nested =
                    claims.substring(0, claims.length() - 1) + ",\"deep\":" + "[".repeat(900) + "]".repeat(900) + "}";
            var text = encoded(Json.bytes(head("RS256").put("kid", "k1"))) + "."
                    + encoded(nested.getBytes(StandardCharsets.UTF_8));
            return text + "." + signature(OidcPeer.PAIR.getPrivate(), text);
        };
        refused(enter(claims -> claims));
        entersAgain();
    }

    @Test
    void refusesAPersonOfWhomTheTokenDoesNotSpeak() {
        oidc.told = Json.object().put("sub", "somebody-else").put("email", ADA).put("email_verified", true);
        refused(enter(claims -> (ObjectNode) claims.without("email")));
    }

    @Test
    void takesACodeOnce_andATicketForItsOwnQuestionOnly() {
        var begun = begin();
        var code = oidc.agree(begun.loginUrl(), ADA, claims -> claims);
        assertThat(begun.claim(code).status()).isEqualTo(200);
        refused(begun.claim(code));
        var other = begin();
        refused(other.claim(oidc.agree(begun.loginUrl(), ADA, claims -> claims)));
    }
}
