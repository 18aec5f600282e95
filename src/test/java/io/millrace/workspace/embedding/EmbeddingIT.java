package io.millrace.workspace.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddingIT {
    private static final String KEYS = "/v1/signing-keys";
    private static final String ENTER = "/v1/managed-authn/external-token";
    private static final KeyPair PAIR = RsaKeys.generate(2048);
    private static final KeyPair OTHER = RsaKeys.generate(2048);
    private static final PrivateKey KEY = PAIR.getPrivate();
    private static final AtomicInteger COUNT = new AtomicInteger();

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");
    private static String keyId = insertKey(PAIR);

    /** A key of 2048 bits, generated here: a longer one takes many seconds. */
    private static String insertKey(KeyPair pair) {
        var id = Ids.next();
        server.execute("""
                insert into signing_key (id, created, updated, platform_id, display_name, public_key)
                values ($1, now(), now(), $2, 'Our shop', $3)
                """, id, admin.platformId(), RsaKeys.publicPem((RSAPublicKey) pair.getPublic()));
        return id;
    }

    private static ObjectNode claims(String user, String project) {
        return Json.object()
                .put("version", "v3")
                .put("externalUserId", user)
                .put("externalProjectId", project)
                .put("firstName", "Gus")
                .put("lastName", "Guest")
                .put("jti", "t" + COUNT.incrementAndGet())
                .put("exp", server.clock().instant().plusSeconds(300).getEpochSecond());
    }

    private static ApiClient.Answer enter(ObjectNode claims) {
        return enterWith(RsaToken.issue(keyId, KEY, claims));
    }

    private static ApiClient.Answer enterWith(String token) {
        return server.anonymous().post(ENTER, Json.object().put("externalAccessToken", token));
    }

    private static String refusal(ApiClient.Answer answer) {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/code")).isEqualTo("INVALID_BEARER_TOKEN");
        return answer.text("/params/message");
    }

    @Test
    void believesAKey_untilItIsDeleted() {
        // Given
        var id = insertKey(OTHER);

        // When
        var found = admin.api().get(KEYS + "/" + id);
        var listed = admin.api().get(KEYS);
        var entered = enterWith(RsaToken.issue(id, OTHER.getPrivate(), claims("early", "p-early")));
        var deleted = admin.api().delete(KEYS + "/" + id);

        // Then
        assertThat(found.status()).isEqualTo(200);
        assertThat(found.text("/algorithm")).isEqualTo("RSA");
        assertThat(found.body().has("privateKey")).isFalse();
        assertThat(listed.body().at("/data").findValuesAsText("id")).contains(id, keyId);
        assertThat(entered.status()).isEqualTo(200);
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(admin.api().get(KEYS + "/" + id).status()).isEqualTo(404);
        assertThat(admin.api().delete(KEYS + "/" + id).status()).isEqualTo(404);
        assertThat(refusal(enterWith(RsaToken.issue(id, OTHER.getPrivate(), claims("late", "p-late")))))
                .contains("expected a signature by the key of that name");
    }

    @Test
    void refusesKeysToMembers_andWithoutAName() {
        // Given
        var member = server.signUp("mel@example.com", "Mel");

        // Then
        assertThat(member.api().get(KEYS).status()).isEqualTo(403);
        assertThat(member.api()
                        .post(KEYS, Json.object().put("displayName", "x"))
                        .status())
                .isEqualTo(403);
        assertThat(member.api().delete(KEYS + "/" + keyId).status()).isEqualTo(403);
        assertThat(admin.api().post(KEYS, Json.object()).status()).isEqualTo(400);
    }

    @Test
    void makesUserProjectAndMembership_atTheFirstSignIn_andFindsThemLater() {
        // When
        var first = enter(claims("u1", "p1").put("projectDisplayName", "Shop one"));
        var again = enter(claims("u1", "p1").put("role", "viewer").put("projectDisplayName", "Shop renamed"));
        var guest = server.anonymous().with(again.text("/token"));
        var project = guest.get("/v1/projects/" + first.text("/projectId"));

        // Then
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.text("/platformRole")).isEqualTo("MEMBER");
        assertThat(first.text("/externalId")).isEqualTo("u1");
        assertThat(first.text("/verified")).isEqualTo("true");
        assertThat(first.text("/email")).matches("[0-9a-f]{64}");
        assertThat(again.text("/id")).isEqualTo(first.text("/id"));
        assertThat(again.text("/projectId")).isEqualTo(first.text("/projectId"));
        assertThat(project.text("/displayName")).isEqualTo("Shop renamed");
        assertThat(project.text("/externalId")).isEqualTo("p1");
        assertThat(project.text("/type")).isEqualTo("TEAM");
        assertThat(guest.post(
                                "/v1/projects/" + first.text("/projectId"),
                                Json.object().put("displayName", "Mine now"))
                        .status())
                .isEqualTo(403);
        assertThat(server.count("select count(*) from project_member where user_id = $1", first.text("/id")))
                .isEqualTo(1);
        assertThat(server.count(
                        "select count(*) from audit_event where action = 'user.signed.up' and body::json->'data'->>'source' = 'managed'"
                                + " and user_id = $1",
                        first.text("/id")))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ADMIN", "MEMBER"})
    void opensNoSession_ofAnAccountThatSignsInItself(PlatformRole role) {
        // Given an account with an external id, as SCIM and the API of users write it
        var externalId = "crm-" + role;
        var owner = server.signUp(role.name().toLowerCase(Locale.ROOT) + "@example.com", "Olga", role);
        var marked =
                admin.api().post("/v1/users/" + owner.userId(), Json.object().put("externalId", externalId));
        assertThat(marked.status()).as(marked.toString()).isEqualTo(200);

        // When
        var entered = enter(claims(externalId, "p-" + role));

        // Then
        assertThat(refusal(entered)).contains("an account that signs in without the embedding product");
        assertThat(entered.body().has("token")).isFalse();
        assertThat(server.count("select count(*) from project where external_id = $1", "p-" + role))
                .isZero();
    }

    @Test
    void choosesPiecesByTheirTags() {
        // Given
        var tagged = Json.object();
        tagged.putArray("piecesName").add("@activepieces/piece-http").add("@activepieces/piece-csv");
        tagged.putArray("tags").add("free").add("basic");
        var retagged = Json.object();
        retagged.putArray("piecesName").add("@activepieces/piece-csv");
        retagged.putArray("tags").add("paid");
        assertThat(admin.api().post("/v1/tags/pieces", tagged).status()).isEqualTo(201);
        assertThat(admin.api().post("/v1/tags/pieces", retagged).status()).isEqualTo(201);
        var chosen = claims("u2", "p2").put("piecesFilterType", "ALLOWED");
        chosen.putArray("piecesTags").add("free").add("unheard-of");
        var older = claims("u2", "p2").without("version");
        var olderPieces = ((ObjectNode) older).putObject("pieces").put("filterType", "ALLOWED");
        olderPieces.putArray("tags").add("paid");

        // When
        var projectId = enter(chosen).text("/projectId");
        var free = admin.api().get("/v1/projects/" + projectId).body().at("/plan");
        enter(claims("u2", "p2"));
        var kept = admin.api().get("/v1/projects/" + projectId).body().at("/plan");
        enter((ObjectNode) older);
        var paid = admin.api().get("/v1/projects/" + projectId).body().at("/plan");
        enter(claims("u2", "p2").put("piecesFilterType", "NONE"));
        var all = admin.api().get("/v1/projects/" + projectId).body().at("/plan");

        // Then
        assertThat(free.at("/piecesFilterType").asText()).isEqualTo("ALLOWED");
        assertThat(free.at("/pieces")).hasSize(1);
        assertThat(free.at("/pieces/0").asText()).isEqualTo("@activepieces/piece-http");
        assertThat(kept).isEqualTo(free);
        assertThat(paid.at("/pieces/0").asText()).isEqualTo("@activepieces/piece-csv");
        assertThat(all.at("/piecesFilterType").asText()).isEqualTo("NONE");
        assertThat(admin.api().get("/v1/tags?limit=2").body().at("/data")).hasSize(2);
        assertThat(admin.api()
                        .post("/v1/tags", Json.object().put("name", "free"))
                        .status())
                .isEqualTo(201);
        assertThat(admin.api().post("/v1/tags", Json.object().put("name", "")).status())
                .isEqualTo(400);
        assertThat(server.count("select count(*) from tag where name = 'free'")).isEqualTo(1);
    }

    @Test
    void choosesPiecesByASet() {
        // Given
        var tagged = Json.object();
        tagged.putArray("piecesName").add("@activepieces/piece-csv").add("@activepieces/piece-http");
        tagged.putArray("tags").add("premium");
        assertThat(admin.api().post("/v1/tags/pieces", tagged).status()).isEqualTo(201);
        assertThat(admin.api()
                        .post("/v1/tags", Json.object().put("name", "nothing"))
                        .status())
                .isEqualTo(201);
        Supplier<ObjectNode> claims = () -> claims("u11", "p11").put("version", "v4");

        // When
        var guest = enter(claims.get().put("pieceSet", "premium"));
        var premium = offeredTo(guest);
        var planned = admin.api()
                .get("/v1/projects/" + guest.text("/projectId"))
                .body()
                .at("/plan");
        var kept = offeredTo(enter(claims.get()));
        var none = offeredTo(enter(claims.get().put("pieceSet", "nothing")));
        var all = offeredTo(enter(claims.get().put("pieceSet", "unheard-of")));

        // Then
        assertThat(premium).containsExactlyInAnyOrder("@activepieces/piece-csv", "@activepieces/piece-http");
        assertThat(planned.at("/piecesFilterType").asText()).isEqualTo("ALLOWED");
        assertThat(planned.at("/pieces")).hasSize(2);
        assertThat(kept).isEqualTo(premium);
        assertThat(none).isEmpty();
        assertThat(all).contains("@activepieces/piece-csv", "@activepieces/piece-webhook");
    }

    /** Names of the pieces that a guest may use. */
    private static List<String> offeredTo(ApiClient.Answer session) {
        return server.anonymous()
                .with(session.text("/token"))
                .get("/v1/pieces?projectId=" + session.text("/projectId"))
                .body()
                .findValuesAsText("name");
    }

    @Test
    void putsProjectsOfOneKeyIntoOnePool() {
        // When
        var one = enter(claims("u3", "p3").put("concurrencyPoolKey", "gold").put("concurrencyPoolLimit", 3));
        var two = enter(claims("u3", "p4").put("concurrencyPoolKey", "gold").put("concurrencyPoolLimit", 7));
        var poolOf = "/v1/projects/";

        // Then
        assertThat(one.status()).isEqualTo(200);
        assertThat(admin.api().get(poolOf + one.text("/projectId")).text("/poolId"))
                .isNotEmpty()
                .isEqualTo(admin.api().get(poolOf + two.text("/projectId")).text("/poolId"));
        assertThat(server.count("select max_concurrent_jobs from concurrency_pool where key = 'gold'"))
                .isEqualTo(7);
    }

    @Test
    void takesATokenAgain_whileItIsGood() {
        // Given
        var token = RsaToken.issue(keyId, KEY, claims("u5", "p5"));

        // When
        var answers =
                IntStream.range(0, 4).parallel().mapToObj(_ -> enterWith(token)).toList();

        // Then
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        assertThat(answers.stream().map(answer -> answer.text("/id")).distinct())
                .hasSize(1);
    }

    @Test
    void meetsItself_whenAUserArrivesTwiceAtOnce() {
        // When
        var answers = IntStream.range(0, 6)
                .parallel()
                .mapToObj(index -> enter(claims("u6", "p6-" + index % 2)))
                .toList();

        // Then
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        assertThat(answers.stream().map(answer -> answer.text("/id")).distinct())
                .hasSize(1);
        assertThat(answers.stream().map(answer -> answer.text("/projectId")).distinct())
                .hasSize(2);
    }

    @Test
    void refusesTokensThatAreNotGood_andChangesNothing() {
        // Given
        var now = server.clock().instant();
        var projects = server.count("select count(*) from project");

        // Then
        assertThat(refusal(enterWith("x"))).contains("expected a JWT");
        assertThat(refusal(enterWith("a".repeat(50_000)))).contains("expected a JWT");
        assertThat(refusal(enterWith(RsaToken.issue(keyId, OTHER.getPrivate(), claims("u7", "p7")))))
                .contains("expected a signature by the key of that name");
        assertThat(refusal(enterWith(RsaToken.issue("unknownunknownunknown", KEY, claims("u7", "p7")))))
                .contains("expected a signature by the key of that name");
        assertThat(refusal(enterWith(RsaToken.issue("' or 1=1", KEY, claims("u7", "p7")))))
                .contains("expected a JWT");
        assertThat(refusal(enter(claims("u7", "p7").put("exp", now.getEpochSecond()))))
                .contains("expired");
        assertThat(refusal(enter(claims("u7", "p7")
                        .put("exp", now.plus(Duration.ofDays(30)).getEpochSecond()))))
                .contains("exp");
        assertThat(refusal(enter((ObjectNode) claims("u7", "p7").without("exp"))))
                .contains("exp");
        assertThat(refusal(enter(claims("u7", "p7").put("exp", "soon")))).contains("exp");
        assertThat(refusal(
                        enter(claims("u7", "p7").put("nbf", now.plusSeconds(200).getEpochSecond()))))
                .contains("not valid yet");
        assertThat(refusal(enter(claims("", "p7")))).contains("externalUserId");
        assertThat(refusal(enter(claims("u7", "p".repeat(300))))).contains("externalProjectId");
        assertThat(refusal(enter(claims("u7", "p7").put("version", "v9")))).contains("version");
        assertThat(refusal(enter(claims("u7", "p7").put("version", "v4").put("pieceSet", 7))))
                .contains("pieceSet");
        assertThat(refusal(enter(claims("u7", "p7").put("version", "v4").put("pieceSet", "s".repeat(256)))))
                .contains("pieceSet");
        assertThat(refusal(enter(claims("u7", "p7").put("piecesFilterType", "SOME"))))
                .contains("piecesFilterType");
        assertThat(refusal(enter(claims("u7", "p7").put("concurrencyPoolKey", "gold"))))
                .contains("concurrencyPoolLimit");
        assertThat(refusal(enter(
                        claims("u7", "p7").put("concurrencyPoolKey", "gold").put("concurrencyPoolLimit", 0))))
                .contains("concurrencyPoolLimit");
        assertThat(refusal(enter(claims("u7", "p7").put("projectDisplayName", " "))))
                .contains("projectDisplayName");
        assertThat(refusal(enter(claims("u7", "p7").put("firstName", "")))).contains("firstName");
        assertThat(refusal(enter(claims("u7", "p7").putNull("lastName")))).contains("lastName");
        assertThat(refusal(enter(claims("u7", "p7").put("lastName", "x".repeat(256)))))
                .contains("lastName");
        assertThat(enter(claims("u7", "p7").put("role", "KING")).status()).isEqualTo(404);
        assertThat(server.count("select count(*) from project")).isEqualTo(projects);
        assertThat(server.count("select count(*) from platform_user where external_id = 'u7'"))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"Acme Inc., Acme Inc", "R/D, R D", "../x, x", "A\u0001B, A B", "Mill, Mill"})
    void namesTheProjectWithoutDotsAndSlashes_soThatItCanBeSaved(String given, String name) {
        // When
        var entered = enter(claims("u9", "p9").put("projectDisplayName", given));
        var project = admin.api().get("/v1/projects/" + entered.text("/projectId"));
        var saved = admin.api()
                .post(
                        "/v1/projects/" + entered.text("/projectId"),
                        Json.object().put("displayName", project.text("/displayName")));

        // Then
        assertThat(entered.status()).as("%s", entered).isEqualTo(200);
        assertThat(project.text("/displayName")).isEqualTo(name);
        assertThat(saved.status()).isEqualTo(200);
    }

    @Test
    void keepsTheName_whenTheGivenOneHasDotsOnly() {
        // When
        enter(claims("u10", "p10").put("projectDisplayName", "Before"));
        var again = enter(claims("u10", "p10").put("projectDisplayName", "..."));
        var unnamed = enter(claims("u10", "shop.example/7"));
        var dots = enter(claims("u10", "."));

        // Then
        assertThat(admin.api().get("/v1/projects/" + again.text("/projectId")).text("/displayName"))
                .isEqualTo("Before");
        assertThat(admin.api().get("/v1/projects/" + unnamed.text("/projectId")).text("/displayName"))
                .isEqualTo("shop example 7");
        assertThat(admin.api().get("/v1/projects/" + dots.text("/projectId")).text("/displayName"))
                .isEqualTo("Project");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void admitsAPersonWithoutALastName(String lastName) {
        var entered = enter(claims("u11" + lastName.length(), "p11").put("lastName", lastName));

        assertThat(entered.status()).as("%s", entered).isEqualTo(200);
        assertThat(entered.body().path("lastName").textValue()).isEmpty();
    }

    @Test
    void keepsOutWhoIsInactive_andPersonalProjects() {
        // Given
        var user = enter(claims("u8", "p8"));
        admin.api().post("/v1/users/" + user.text("/id"), Json.object().put("status", "INACTIVE"));
        admin.api().post("/v1/projects/" + admin.projectId(), Json.object().put("externalId", "private"));

        // When
        var inactive = enter(claims("u8", "p8"));
        var personal = enter(claims("u9", "private"));

        // Then
        assertThat(inactive.status()).isEqualTo(403);
        assertThat(inactive.text("/code")).isEqualTo("USER_IS_INACTIVE");
        assertThat(personal.status()).isEqualTo(403);
        assertThat(personal.text("/code")).isEqualTo("AUTHORIZATION");
    }

    @Test
    void neverMakesAnAdministrator() {
        // When
        var user = enter(claims("u10", "p10").put("role", "ADMIN"));

        // Then
        assertThat(user.text("/platformRole")).isEqualTo(PlatformRole.MEMBER.name());
        assertThat(server.anonymous().with(user.text("/token")).get(KEYS).status())
                .isEqualTo(403);
    }

    @Test
    void showsNobodyOfThePlatform_toWhoeverAdministersAProjectOfAnotherProduct() {
        // Given
        var token = enter(claims("u11", "p11").put("role", "ADMIN")).text("/token");
        var owner = server.signUp("pat@example.com", "Pat", PlatformRole.MEMBER);

        // When
        var guest = server.anonymous().with(token).get("/v1/users");

        // Then
        assertThat(guest.status()).isEqualTo(403);
        assertThat(guest.text("/code")).isEqualTo("AUTHORIZATION");
        assertThat(owner.api().get("/v1/users").status()).isEqualTo(200);
    }
}
