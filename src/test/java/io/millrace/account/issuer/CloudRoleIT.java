package io.millrace.account.issuer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Json;
import io.millrace.base.secret.Hashes;
import io.millrace.base.secret.RsaToken;
import io.millrace.piece.PieceSpec;
import io.millrace.support.ApiClient;
import io.millrace.support.TestServer;
import io.millrace.support.piece.BarePiece;
import io.vertx.core.Future;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class CloudRoleIT {
    private static final String PIECE = "@test/piece-cloud";
    private static final String TOKEN = "/v1/worker/oidc-token";

    private static final List<String> ASKED_FOR = new CopyOnWriteArrayList<>();
    private static volatile Optional<String> objection = Optional.empty();

    @AutoClose
    private static TestServer server = TestServer.start(Map.of(), List.of(new CloudPiece()));

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");
    private static ApiClient piece = as(admin.projectId());

    /** Client with the token that code of a piece gets. */
    private static ApiClient as(String projectId) {
        return server.anonymous().with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(projectId));
    }

    /** Piece that assumes a role, or is refused it. */
    private static final class CloudPiece implements BarePiece {
        @Override
        public PieceSpec spec() {
            var auth = Json.object().put("type", "OIDC");
            return new PieceSpec(PIECE, "Cloud", "", "", List.of(), List.of(), List.of("0.1.0"), auth);
        }

        @Override
        public Future<Optional<String>> validate(ObjectNode value, Optional<String> projectId) {
            ASKED_FOR.add(projectId.orElse("nobody"));
            return Future.succeededFuture(objection);
        }
    }

    private static PublicKey publicKey(JsonNode key) throws Exception {
        var decoder = Base64.getUrlDecoder();
        return KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(
                        new BigInteger(1, decoder.decode(key.path("n").asText())),
                        new BigInteger(1, decoder.decode(key.path("e").asText()))));
    }

    @Test
    void namesTheProjectOfAPiece_toClouds() throws Exception {
        // When
        var document = server.anonymous().atRoot().get("/.well-known/openid-configuration");
        var keys = server.anonymous().atRoot().get("/.well-known/jwks.json");
        var answer = piece.post(
                TOKEN, Json.object().put("audience", "sts.example.com").put("expiresInSeconds", 60));

        // Then
        var key = keys.body().at("/keys/0");
        var token = RsaToken.parse(answer.text("/token")).orElseThrow();
        assertThat(document.text("/jwks_uri")).isEqualTo(document.text("/issuer") + "/.well-known/jwks.json");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(token.isSignedBy(publicKey(key))).isTrue();
        assertThat(token.kid()).isEqualTo(key.path("kid").asText()).isEqualTo(thumbprint(key));
        assertThat(token.claims().path("iss").asText()).isEqualTo(document.text("/issuer"));
        assertThat(token.claims().path("aud").asText()).isEqualTo("sts.example.com");
        assertThat(token.claims().path("sub").asText())
                .isEqualTo("platform:" + admin.platformId() + ":project:" + admin.projectId());
        assertThat(token.claims().path("exp").asLong()
                        - token.claims().path("iat").asLong())
                .isEqualTo(60);
        assertThat(server.anonymous().get("/.well-known/jwks.json").body()).isEqualTo(keys.body());
    }

    private static String thumbprint(JsonNode key) {
        var members = "{\"e\":\"%s\",\"kty\":\"RSA\",\"n\":\"%s\"}"
                .formatted(key.path("e").asText(), key.path("n").asText());
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Hashes.sha256(members.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void refusesOthersThanPieces_andOddWishes() {
        // Given
        var request = Json.object().put("audience", "x");

        // Then
        assertThat(admin.api().post(TOKEN, request).status()).isEqualTo(403);
        assertThat(server.anonymous().post(TOKEN, request).status()).isEqualTo(403);
        assertThat(as("unknownunknownunknown").post(TOKEN, request).status()).isEqualTo(403);
        assertThat(piece.post(TOKEN, Json.object()).status()).isEqualTo(400);
        assertThat(piece.post(TOKEN, Json.object().put("audience", "  ")).status())
                .isEqualTo(400);
        assertThat(piece.post(TOKEN, request.deepCopy().put("expiresInSeconds", 59))
                        .status())
                .isEqualTo(400);
        assertThat(piece.post(TOKEN, request.deepCopy().put("expiresInSeconds", 3601))
                        .status())
                .isEqualTo(400);
        assertThat(piece.get("/v1/projects/" + admin.projectId()).status()).isEqualTo(403);
        assertThat(piece.get("/v1/projects").status()).isEqualTo(403);
    }

    private static ApiClient.Answer save() {
        var body = Json.object()
                .put("externalId", "role")
                .put("displayName", "Role")
                .put("pieceName", PIECE)
                .put("projectId", admin.projectId())
                .put("type", "OIDC");
        body.putObject("value").put("type", "OIDC").putObject("props").put("role", "arn:cloud:role/mill");
        return admin.api().post("/v1/app-connections", body);
    }

    @Test
    void savesARoleThatCanBeAssumed_andReportsWhenItNoLongerCan() {
        // When
        objection = Optional.of("AccessDenied: not authorized to assume the role");
        var refused = save();
        objection = Optional.empty();
        var saved = save();
        var path = "/v1/app-connections/" + saved.text("/id") + "/revalidate";
        objection = Optional.of("AccessDenied");
        var lost = admin.api().post(path, Json.object());
        objection = Optional.empty();
        var found = admin.api().post(path, Json.object());

        // Then
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/code")).isEqualTo("INVALID_APP_CONNECTION");
        assertThat(refused.text("/params/error")).contains("not authorized to assume the role");
        assertThat(saved.status()).isEqualTo(201);
        assertThat(saved.text("/type")).isEqualTo("OIDC");
        assertThat(lost.text("/status")).isEqualTo("ERROR");
        assertThat(found.text("/status")).isEqualTo("ACTIVE");
        assertThat(ASKED_FOR).containsOnly(admin.projectId());
    }
}
