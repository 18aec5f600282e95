package io.millrace.workspace.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.millrace.hostile.HostileKind;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forged tokens of embedding products, and products that try to access other platforms. */
@HostileKind("embedding token")
final class HostileEmbeddingIT {
    private static final String ENTER = "/v1/managed-authn/external-token";
    private static final KeyPair PAIR = RsaKeys.generate(2048);
    private static final KeyPair OTHER = RsaKeys.generate(2048);

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");
    private static String otherPlatform = otherPlatform();
    private static String keyId = insertKey(PAIR, admin.platformId());
    private static String otherKeyId = insertKey(OTHER, otherPlatform);

    /** A second platform with a project, created like an operator's. */
    private static String otherPlatform() {
        var eve = server.signUp("eve@example.com", "Eve");
        var platformId = Ids.next();
        server.execute(
                "insert into platform select (jsonb_populate_record(p, jsonb_build_object('id', $1::text, 'owner_id', $2::text))).*"
                        + " from platform p where p.id = $3",
                platformId,
                eve.userId(),
                admin.platformId());
        return platformId;
    }

    private static String insertKey(KeyPair pair, String platformId) {
        var id = Ids.next();
        server.execute("""
                insert into signing_key (id, created, updated, platform_id, display_name, public_key)
                values ($1, now(), now(), $2, 'Our shop', $3)
                """, id, platformId, RsaKeys.publicPem((RSAPublicKey) pair.getPublic()));
        return id;
    }

    private static ObjectNode claims() {
        return Json.object()
                .put("version", "v3")
                .put("externalUserId", "u-" + Ids.next())
                .put("externalProjectId", "p-" + Ids.next())
                .put("firstName", "Gus")
                .put("lastName", "Guest")
                .put("exp", server.clock().instant().plusSeconds(300).getEpochSecond());
    }

    private static ApiClient.Answer enterWith(String token) {
        return server.anonymous().post(ENTER, Json.object().put("externalAccessToken", token));
    }

    private static void isRefused(ApiClient.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isIn(400, 401);
        assertThat(answer.body().has("token")).isFalse();
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String encoded(JsonNode json) {
        return encoded(Json.bytes(json));
    }

    private static String signature(String good) {
        return good.substring(good.lastIndexOf('.') + 1);
    }

    private static String good() {
        return RsaToken.issue(keyId, PAIR.getPrivate(), claims());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none", "None", "NONE", "", "HS256", "HS384", "HS512", "RS384", "RS512", "PS256", "ES256", "EdDSA"
            })
    void takesNoOtherAlgorithm(String algorithm) {
        var good = good();
        var head = encoded(Json.object().put("alg", algorithm).put("typ", "JWT").put("kid", keyId));
        var claims = encoded(claims());

        isRefused(enterWith(head + "." + claims + "."));
        isRefused(enterWith(head + "." + claims + "." + signature(good)));
        isRefused(enterWith(head + "." + claims));
        assertThat(enterWith(good).status()).isEqualTo(200);
    }

    /** The public key, which every administrator of the product can read, as an HMAC secret. */
    @ParameterizedTest
    @ValueSource(strings = {"HS256", "RS256"})
    void takesNoCodeOfThePublicKey(String algorithm) throws GeneralSecurityException {
        var pem = RsaKeys.publicPem((RSAPublicKey) PAIR.getPublic());
        for (var secret : new byte[][] {
            pem.getBytes(StandardCharsets.US_ASCII),
            pem.strip().getBytes(StandardCharsets.US_ASCII),
            PAIR.getPublic().getEncoded(),
            keyId.getBytes(StandardCharsets.US_ASCII)
        }) {
            var text = encoded(Json.object().put("alg", algorithm).put("kid", keyId)) + "." + encoded(claims());
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            isRefused(enterWith(text + "." + encoded(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII)))));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "../../../../dev/null",
                "/dev/null",
                "' or '1'='1",
                "' union select public_key from signing_key --",
                "http://127.0.0.1:1/key",
                "\u0000",
                "*",
                "%",
                "aaaaaaaaaaaaaaaaaaaaa",
                "../signing-keys/x"
            })
    void findsNoKeyByAnotherName(String kid) {
        isRefused(enterWith(RsaToken.issue(kid, PAIR.getPrivate(), claims())));
    }

    /** A key that the token contains or links to. */
    @ParameterizedTest
    @ValueSource(strings = {"jku", "x5u", "jwk", "x5c", "crit", "zip", "cty"})
    void takesNoKeyFromTheToken(String name) {
        var head = Json.object().put("alg", "RS256").put("kid", keyId);
        head.set(
                name,
                name.equals("crit") ? Json.array().add("exp") : Json.array().add("http://127.0.0.1:1/"));
        isRefused(enterWith(encoded(head) + "." + encoded(claims()) + "." + signature(good())));
    }

    @Test
    void takesNoSignatureOfAnotherKey() {
        isRefused(enterWith(RsaToken.issue(keyId, OTHER.getPrivate(), claims())));
        isRefused(enterWith(RsaToken.issue(otherKeyId, PAIR.getPrivate(), claims())));
    }

    /** Missing or malformed claims, and times that are invalid for a token. */
    static Stream<Arguments> claimChanges() {
        var now = server.clock().instant().getEpochSecond();
        return Stream.of(
                Arguments.of("exp", Json.trusted("null")),
                Arguments.of("exp", Json.trusted("\"" + (now + 100) + "\"")),
                Arguments.of("exp", Json.trusted(Long.toString(now))),
                Arguments.of("exp", Json.trusted(Long.toString(now - 1))),
                Arguments.of("exp", Json.trusted(Long.toString(now + 90_000))),
                Arguments.of("exp", Json.trusted("1e300")),
                Arguments.of("exp", Json.trusted("-1")),
                Arguments.of("exp", Json.trusted("9223372036854775807")),
                Arguments.of("exp", Json.trusted("[" + (now + 100) + "]")),
                Arguments.of("nbf", Json.trusted(Long.toString(now + 100))),
                Arguments.of("iat", Json.trusted(Long.toString(now + 100))),
                Arguments.of("nbf", Json.trusted("\"soon\"")),
                Arguments.of("version", Json.trusted("\"v5\"")),
                Arguments.of("externalUserId", Json.trusted("null")),
                Arguments.of("externalUserId", Json.trusted("7")),
                Arguments.of("externalUserId", Json.trusted("\"\"")),
                Arguments.of("externalUserId", Json.trusted("\"a\\u0000b\"")),
                Arguments.of("externalUserId", Json.trusted("{\"$ne\":\"\"}")),
                Arguments.of("externalProjectId", Json.trusted("\"a\\u0000b\"")),
                Arguments.of("externalProjectId", Json.trusted("[]")),
                Arguments.of("firstName", Json.trusted("\"" + "x".repeat(300) + "\"")),
                Arguments.of("projectDisplayName", Json.trusted("\"a\\u0000b\"")),
                Arguments.of("role", Json.trusted("\"OWNER-OF-ALL\"")),
                Arguments.of("role", Json.trusted("{}")),
                Arguments.of("piecesFilterType", Json.trusted("\"ALL\"")),
                Arguments.of("concurrencyPoolLimit", Json.trusted("1e9")),
                Arguments.of("concurrencyPoolLimit", Json.trusted("-1")));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("claimChanges")
    void refusesClaimsThatMeanNothing(String name, JsonNode value) {
        var claims = claims();
        claims.set(name, value);
        var answer = enterWith(RsaToken.issue(keyId, PAIR.getPrivate(), claims));

        assertThat(answer.status()).as(answer.toString()).isBetween(400, 499);
        assertThat(answer.body().has("token")).isFalse();
    }

    /** Claims of the product neither make an administrator nor select the platform. */
    @ParameterizedTest
    @CsvSource({
        "platformId, other",
        "platform_id, other",
        "platformRole, ADMIN",
        "type, USER",
        "id, aaaaaaaaaaaaaaaaaaaaa",
        "email, ada@example.com",
        "projectId, other",
        "tokenVersion, x"
    })
    void entersItsOwnPlatformAsAMember_whateverElseItClaims(String name, String value) {
        var answer = enterWith(RsaToken.issue(
                keyId, PAIR.getPrivate(), claims().put(name, value.equals("other") ? otherPlatform : value)));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.text("/platformId")).isEqualTo(admin.platformId());
        assertThat(answer.text("/platformRole")).isEqualTo("MEMBER");
        assertThat(answer.text("/email")).isNotEqualTo("ada@example.com");
        var guest = server.anonymous().with(answer.text("/token"));
        assertThat(guest.get("/v1/users").status()).isEqualTo(403);
        assertThat(guest.get("/v1/projects/" + admin.projectId()).status()).isIn(403, 404);
    }

    /** The same ids in two products are two users and two projects. */
    @Test
    void keepsThePlatformsApart_thoughTheIdsAreTheSame() {
        var same = claims().put("externalUserId", "same").put("externalProjectId", "same");

        var here = enterWith(RsaToken.issue(keyId, PAIR.getPrivate(), same));
        var there = enterWith(RsaToken.issue(otherKeyId, OTHER.getPrivate(), same));

        assertThat(here.status()).isEqualTo(200);
        assertThat(there.status()).as(there.toString()).isEqualTo(200);
        assertThat(there.text("/id")).isNotEqualTo(here.text("/id"));
        assertThat(there.text("/platformId")).isEqualTo(otherPlatform);
        var guest = server.anonymous().with(there.text("/token"));
        for (var path : new String[] {
            "/v1/projects/" + here.text("/projectId"),
            "/v1/flows?projectId=" + here.text("/projectId"),
            "/v1/flow-runs?projectId=" + here.text("/projectId"),
            "/v1/app-connections?projectId=" + here.text("/projectId")
        }) {
            assertThat(guest.get(path).status()).as(path).isIn(403, 404);
        }
    }

    /** A token of a product is not a session, and a session is not a token of a product. */
    @Test
    void takesNoTokenForAnother() {
        assertThat(server.anonymous().with(good()).get("/v1/users/me").status()).isEqualTo(401);
        isRefused(enterWith(admin.api().token()));
        var entered = enterWith(good());
        isRefused(enterWith(entered.text("/token")));
    }
}
