package io.millrace.workspace.authorizationserver;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.account.audit.AuditLog;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.base.secret.Hashes;
import io.millrace.support.MovableClock;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.millrace.workspace.project.ProjectEventSubjects;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Rotation of refresh tokens: successors, the repetition after a lost response, and the detection of reuse (decision
 * 0030).
 */
final class RefreshRotationIT {
    private static final String PUBLIC = "public-client";
    private static final String CONFIDENTIAL = "confidential-client";
    private static final String SECRET = "a secret of the client";
    private static final String VERIFIER = "v".repeat(43);
    private static final String BACK = "https://client.example/callback";
    private static final String MCP = "https://mill.example/mcp";
    private static final Issuer ISSUER = new Issuer("https://mill.example");
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final long DEADLINE_MS = 20_000;
    private static final int PARALLEL = 8;

    private static final MovableClock CLOCK = new MovableClock();

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    @AutoClose
    private static TestDatabase openedByAnotherNode = TestDatabase.of(opened.settings());

    private static Database database = opened.database();
    private static List<Bus> nodes;
    private static String userId;

    @BeforeAll
    static void start() {
        var projectId = TestProjects.insert(database);
        userId = await(database.query("select owner_id from project where id = $1", projectId))
                .iterator()
                .next()
                .getString(0);
        insertClient(PUBLIC, ClientAuthentication.NONE, null);
        insertClient(CONFIDENTIAL, ClientAuthentication.CLIENT_SECRET_POST, Hashes.sha256Hex(SECRET));
        // Two services share only the database, like two nodes of a cluster.
        nodes = List.of(node(opened), node(openedByAnotherNode));
    }

    private static Bus node(TestDatabase of) {
        var bus = new Bus(of.vertx());
        var audit = new AuditLog(new ProjectEventSubjects(), CLOCK);
        var service =
                new TokenExchangeService(of.database(), new AccessTokens("signs tokens", CLOCK), audit, GRACE, CLOCK);
        await(of.vertx().deployVerticle(new PersistenceVerticle(bus, List.of(service))));
        return bus;
    }

    private static void insertClient(String id, ClientAuthentication method, String secretHash) {
        await(database.query(
                "insert into mcp_client (id, created, redirect_uris, grant_types, authentication, secret_hash)"
                        + " values ($1, now(), $2, '{}', $3, $4)",
                id,
                new String[] {BACK},
                method.name(),
                secretHash));
    }

    @Test
    void givesAPublicClientANewTokenAtEachRefresh() {
        var token = exchange();
        for (var round = 0; round < 5; round++) {
            CLOCK.advance(Duration.ofMinutes(20));
            var tokens = refresh(token);
            var next = tokens.refreshToken().orElseThrow();
            assertThat(next).isNotEqualTo(token).matches("[A-Za-z0-9_-]{64}");
            assertThat(isValid(tokens.accessToken())).isTrue();
            token = next;
        }
    }

    @Test
    void isStoredBeforeItIsAnswered() {
        var next = refresh(exchange()).refreshToken().orElseThrow();

        assertThat(await(database.query("select 1 from mcp_grant where refresh_hash = $1", Hashes.sha256Hex(next)))
                        .size())
                .isEqualTo(1);
    }

    @Test
    void endsTheGrant_whenASpentTokenIsUsedAfterTheGrace() {
        // Given
        var first = exchange();
        var honest = refresh(first);
        CLOCK.advance(GRACE);

        // When
        assertRefused(first);

        // Then
        assertThat(isValid(honest.accessToken())).isFalse();
        assertRefused(honest.refreshToken().orElseThrow());
        assertRefused(first);
        assertThat(auditEntries(first)).isEqualTo(1);
    }

    @Test
    void endsTheGrant_whenAnOlderTokenIsUsedWithinTheGrace() {
        // Given
        var first = exchange();
        var second = refresh(first).refreshToken().orElseThrow();
        var third = refresh(second);

        // When
        assertRefused(first);

        // Then
        assertThat(isValid(third.accessToken())).isFalse();
        assertRefused(third.refreshToken().orElseThrow());
    }

    @Test
    void detectsTheOldestOfManySpentTokens() {
        // Given
        var first = exchange();
        var token = first;
        for (var round = 0; round < 30; round++) {
            token = refresh(token).refreshToken().orElseThrow();
        }

        // When
        assertRefused(first);

        // Then
        assertRefused(token);
    }

    @Test
    void answersTheSameSuccessor_whenARefreshIsRepeatedWithinTheGrace() {
        // Given
        var first = exchange();
        var successor = refresh(first).refreshToken().orElseThrow();
        CLOCK.advance(GRACE.minusSeconds(1));

        // When
        var repeated = refresh(first);

        // Then
        assertThat(repeated.refreshToken()).contains(successor);
        assertThat(isValid(repeated.accessToken())).isTrue();
        assertThat(refresh(successor).refreshToken()).isPresent();
        assertThat(auditEntries(first)).isZero();
    }

    @Test
    void givesOneSuccessor_whenTwoNodesTakeTheSameTokenAtOnce() {
        // Given
        var first = exchange();

        // When
        var answers = await(Future.join(IntStream.range(0, PARALLEL)
                .mapToObj(index -> nodes.get(index % nodes.size()).ask(refreshing(PUBLIC, "", first, MCP), DEADLINE_MS))
                .toList()));

        // Then
        assertThat(answers.<Tokens>list().stream().map(Tokens::refreshToken).distinct())
                .hasSize(1);
    }

    @Test
    void rotatesATokenOfTheReleaseBefore_andDetectsItsReuse() {
        // Given
        var first = exchange();
        await(database.query(
                "update mcp_grant set refresh_family = null where refresh_hash = $1", Hashes.sha256Hex(first)));
        var second = refresh(first).refreshToken().orElseThrow();
        CLOCK.advance(GRACE);

        // When
        assertRefused(first);

        // Then
        assertRefused(second);
    }

    @Test
    void keepsTheTokenOfAConfidentialClient() {
        // Given
        var token = exchange(CONFIDENTIAL, SECRET);

        // When
        var first = refresh(CONFIDENTIAL, SECRET, token, MCP);
        CLOCK.advance(GRACE.multipliedBy(2));
        var second = refresh(CONFIDENTIAL, SECRET, token, MCP);

        // Then
        assertThat(first.refreshToken()).isEmpty();
        assertThat(isValid(second.accessToken())).isTrue();
    }

    @Test
    void changesNothing_whenARefreshIsRefusedForAnotherReason() {
        // Given
        var token = exchange();

        // When
        assertFails(ErrorCode.OAUTH_INVALID_TARGET, PUBLIC, "", token, "https://mill.example/mcp/platform");
        assertFails(ErrorCode.OAUTH_INVALID_GRANT, CONFIDENTIAL, SECRET, token, MCP);
        assertFails(ErrorCode.OAUTH_INVALID_GRANT, PUBLIC, "", token.substring(1), MCP);
        assertFails(ErrorCode.OAUTH_INVALID_GRANT, PUBLIC, "", token.substring(0, 32), MCP);
        assertFails(ErrorCode.OAUTH_INVALID_GRANT, PUBLIC, "", Ids.random(64), MCP);

        // Then
        assertThat(refresh(token).refreshToken()).isPresent();
    }

    @Test
    void endsTheGrant_whenASpentTokenIsRevoked() {
        // Given
        var first = exchange();
        var tokens = refresh(first);

        // When
        await(nodes.getFirst().ask(new Grants.Revoke(credentials(PUBLIC, ""), first), DEADLINE_MS));

        // Then
        assertThat(isValid(tokens.accessToken())).isFalse();
    }

    @Test
    void endsThirtyDaysAfterTheCode_howeverOftenItIsRotated() {
        var token = exchange();
        CLOCK.advance(Duration.ofDays(29));
        var next = refresh(token).refreshToken().orElseThrow();
        CLOCK.advance(Duration.ofDays(1));

        assertRefused(next);
    }

    private static long auditEntries(String token) {
        return await(database.query(
                        "select 1 from audit_event e join mcp_grant g on e.body::jsonb #>> '{data,grant,id}' = g.id"
                                + " where g.refresh_family = $1 and e.action = 'mcp.grant.revoked'",
                        Hashes.sha256Hex(token.substring(0, 32))))
                .size();
    }

    private static boolean isValid(String accessToken) {
        return await(nodes.getLast()
                .ask(new Grants.Identify(accessToken, MCP), DEADLINE_MS)
                .map(true)
                .otherwise(false));
    }

    private static String exchange() {
        return exchange(PUBLIC, "");
    }

    /** Refresh token for a new consent of a user. */
    private static String exchange(String clientId, String secret) {
        var code = Ids.random(64);
        var digest = Hashes.sha256(VERIFIER.getBytes(StandardCharsets.UTF_8));
        var challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        await(database.query("""
                insert into mcp_grant (id, created, client_id, user_id, platform_id, redirect_uri, code_challenge, code_hash,
                                       expires)
                select $1, now(), $2, id, platform_id, $4, $5, $6, 'infinity' from platform_user where id = $3
                """, Ids.next(), clientId, userId, BACK, challenge, Hashes.sha256Hex(code)));
        var offer = new Grants.Offer.Code(code, VERIFIER, BACK, Optional.of(MCP));
        return await(nodes.getFirst()
                        .ask(new Grants.Exchange(credentials(clientId, secret), offer, ISSUER), DEADLINE_MS))
                .refreshToken()
                .orElseThrow();
    }

    private static ClientCredentials credentials(String clientId, String secret) {
        return new ClientCredentials(Optional.of(clientId), Optional.of(secret));
    }

    private static Grants.Exchange refreshing(String clientId, String secret, String token, String resource) {
        return new Grants.Exchange(
                credentials(clientId, secret), new Grants.Offer.Refresh(token, Optional.of(resource)), ISSUER);
    }

    private static Tokens refresh(String token) {
        return refresh(PUBLIC, "", token, MCP);
    }

    private static Tokens refresh(String clientId, String secret, String token, String resource) {
        return await(nodes.getLast().ask(refreshing(clientId, secret, token, resource), DEADLINE_MS));
    }

    private static void assertRefused(String token) {
        assertFails(ErrorCode.OAUTH_INVALID_GRANT, PUBLIC, "", token, MCP);
    }

    private static void assertFails(ErrorCode code, String clientId, String secret, String token, String resource) {
        assertThatThrownBy(() -> refresh(clientId, secret, token, resource))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }
}
