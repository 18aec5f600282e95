package io.millrace.base.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class RsaTokenTest {
    private static final KeyPair PAIR = RsaKeys.generate(2048);
    private static final KeyPair OTHER = RsaKeys.generate(2048);
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private static String encoded(String json) {
        return ENCODER.encodeToString(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static String token() {
        return RsaToken.issue("k", PAIR.getPrivate(), Json.object().put("sub", "ada"));
    }

    @Test
    void readsWhatItWrites_andKnowsWhoSigned() {
        // When
        var token = RsaToken.parse(token()).orElseThrow();

        // Then
        assertThat(token.kid()).isEqualTo("k");
        assertThat(token.claims().path("sub").asText()).isEqualTo("ada");
        assertThat(token.isSignedBy(PAIR.getPublic())).isTrue();
        assertThat(token.isSignedBy(OTHER.getPublic())).isFalse();
        assertThat(token.toString()).doesNotContain("ada");
    }

    @Test
    void keepsKeysAsTheTextsThatOthersRead() {
        // When
        var pem = RsaKeys.publicPem((RSAPublicKey) PAIR.getPublic());

        // Then
        assertThat(pem).startsWith("-----BEGIN RSA PUBLIC KEY-----\n").endsWith("\n-----END RSA PUBLIC KEY-----\n");
        assertThat(RsaKeys.publicKey(pem)).isEqualTo(PAIR.getPublic());
        assertThat(RsaKeys.privatePem((RSAPrivateCrtKey) PAIR.getPrivate()))
                .startsWith("-----BEGIN RSA PRIVATE KEY-----\nMII");
        assertThat(RsaKeys.privateKey(PAIR.getPrivate().getEncoded())).isEqualTo(PAIR.getPrivate());
        assertThat(RsaKeys.publicHalf((RSAPrivateCrtKey) PAIR.getPrivate())).isEqualTo(PAIR.getPublic());
    }

    @Test
    void refusesEveryOtherAlgorithm() throws Exception {
        // Given
        var claims = encoded("{'sub':'ada'}");
        var signature = token().substring(token().lastIndexOf('.'));
        var symmetric = encoded("{'alg':'HS256','kid':'k'}") + "." + claims;
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(
                RsaKeys.publicPem((RSAPublicKey) PAIR.getPublic()).getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
        var swapped = symmetric + "." + ENCODER.encodeToString(mac.doFinal(symmetric.getBytes(StandardCharsets.UTF_8)));

        // Then
        assertThat(RsaToken.parse(swapped)).isEmpty();
        assertThat(RsaToken.parse(encoded("{'alg':'none','kid':'k'}") + "." + claims + "."))
                .isEmpty();
        assertThat(RsaToken.parse(encoded("{'alg':'rs256','kid':'k'}") + "." + claims + signature))
                .isEmpty();
        assertThat(RsaToken.parse(encoded("{'alg':'RS256'}") + "." + claims + signature))
                .isEmpty();
        assertThat(RsaToken.parse(encoded("{'alg':'RS256','kid':'k','crit':['x'],'x':1}") + "." + claims + signature))
                .isEmpty();
    }

    @Test
    void refusesWhatIsNoToken() {
        assertThat(RsaToken.parse("")).isEmpty();
        assertThat(RsaToken.parse("a.b")).isEmpty();
        assertThat(RsaToken.parse("a.b.c")).isEmpty();
        assertThat(RsaToken.parse("..")).isEmpty();
        assertThat(RsaToken.parse(token() + ".x")).isEmpty();
        assertThat(RsaToken.parse(encoded("[]") + "." + encoded("{}") + ".AA")).isEmpty();
        assertThat(RsaToken.parse(token() + "A".repeat(20_000))).isEmpty();
    }

    /** Signatures that end in a zero byte: the library would restore one that was cut off. */
    @Test
    void refusesASignatureOfAnotherLengthThanTheKey() {
        // Given
        var claims = Json.object();
        String token;
        byte[] signature;
        var tries = 0;
        do {
            token = RsaToken.issue("k", PAIR.getPrivate(), claims.put("try", tries++));
            signature = Base64.getUrlDecoder().decode(token.substring(token.lastIndexOf('.') + 1));
        } while (signature[signature.length - 1] != 0);
        var signed = token.substring(0, token.lastIndexOf('.') + 1);

        // When
        var cut = signed + ENCODER.encodeToString(Arrays.copyOf(signature, signature.length - 1));
        var longer = signed + ENCODER.encodeToString(Arrays.copyOf(signature, signature.length + 1));

        // Then
        assertThat(RsaToken.parse(token).orElseThrow().isSignedBy(PAIR.getPublic()))
                .isTrue();
        assertThat(RsaToken.parse(cut).orElseThrow().isSignedBy(PAIR.getPublic()))
                .isFalse();
        assertThat(RsaToken.parse(longer).orElseThrow().isSignedBy(PAIR.getPublic()))
                .isFalse();
        assertThat(RsaToken.parse(token + ".")).isEmpty();
    }

    @Test
    void isNotFooledByAChangedClaim() {
        // Given
        var parts = token().split("\\.");

        // When
        var changed = RsaToken.parse(parts[0] + "." + encoded("{'sub':'eve'}") + "." + parts[2])
                .orElseThrow();
        var cut = RsaToken.parse(parts[0] + "." + parts[1] + ".AAAA").orElseThrow();

        // Then
        assertThat(changed.isSignedBy(PAIR.getPublic())).isFalse();
        assertThat(cut.isSignedBy(PAIR.getPublic())).isFalse();
    }
}
