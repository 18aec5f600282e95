package io.millrace.workspace.authorizationserver;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.account.audit.AuditLog;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.access.Principal;
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
import io.millrace.workspace.authorizationserver.Grants.TokenAccess;
import io.millrace.workspace.project.ProjectEventSubjects;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Verification of access tokens for the MCP module: returns the user, or nothing for an invalid, expired or revoked token. */
final class TokenExchangeIT {
    private static final String SECRET = "signs tokens";
    private static final String CLIENT = "a-client";
    private static final String VERIFIER = "v".repeat(43);
    private static final String BACK = "https://client.example/callback";
    private static final Issuer ISSUER = new Issuer("https://mill.example");
    private static final String MCP = "https://mill.example/mcp";
    private static final long DEADLINE_MS = 20_000;

    private static final MovableClock CLOCK = new MovableClock();

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Vertx vertx = opened.vertx();
    private static Database database = opened.database();
    private static Bus bus;
    private static String userId;

    @BeforeAll
    static void start() {
        var projectId = TestProjects.insert(database);
        bus = new Bus(vertx);
        var service = new TokenExchangeService(
                database,
                new AccessTokens(SECRET, CLOCK),
                new AuditLog(new ProjectEventSubjects(), CLOCK),
                Duration.ofSeconds(10),
                CLOCK);
        await(vertx.deployVerticle(new PersistenceVerticle(bus, List.of(service))));
        userId = await(database.query("select owner_id from project where id = $1", projectId))
                .iterator()
                .next()
                .getString(0);
        var redirectUris = new String[] {BACK};
        await(database.query(
                "insert into mcp_client (id, created, redirect_uris, grant_types, authentication)"
                        + " values ($1, now(), $2, '{}', 'NONE')",
                CLIENT,
                redirectUris));
    }

    @Test
    void knowsThePersonBehindAToken() {
        var granted = identify(exchange().accessToken(), MCP);

        assertThat(granted.by()).isInstanceOf(Principal.SignedInUser.class);
        assertThat(granted.by().actingUser()).isEqualTo(userId);
        assertThat(granted.grantId()).isNotBlank();
        assertThat(granted.projectId()).isEmpty();
    }

    @Test
    void refusesATokenThatIsForSomethingElse() {
        var token = exchange().accessToken();

        assertUnknown(token, "https://mill.example/mcp/platform");
        assertUnknown(token, "https://other.example/mcp");
    }

    @Test
    void refusesATokenThatWasChangedOrSignedByOthers() {
        // Given
        var parts = exchange().accessToken().split("\\.", -1);
        var none = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        var claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        var more = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(claims.replace(CLIENT, "another").getBytes(StandardCharsets.UTF_8));

        // Then
        assertUnknown(none + "." + parts[1] + ".", MCP);
        assertUnknown(parts[0] + "." + more + "." + parts[2], MCP);
        assertUnknown("x".repeat(1 << 20), MCP);
    }

    @Test
    void refusesATokenOfAGrantThatHasEnded() {
        // Given
        var tokens = exchange();

        // When
        var credentials = new ClientCredentials(Optional.of(CLIENT), Optional.empty());
        await(bus.ask(new Grants.Revoke(credentials, tokens.refreshToken().orElseThrow()), DEADLINE_MS));

        // Then
        assertUnknown(tokens.accessToken(), MCP);
    }

    @Test
    void refusesATokenAfterAQuarterOfAnHour() {
        // Given
        var token = exchange().accessToken();

        // When
        CLOCK.advance(Duration.ofMinutes(15));

        // Then
        assertUnknown(token, MCP);
    }

    @Test
    void refusesTheTokensOfAPersonWhoWasSwitchedOff() {
        endsWith(
                "update platform_user set status = 'INACTIVE' where id = $1",
                "update platform_user set status = 'ACTIVE' where id = $1");
    }

    @Test
    void refusesTheTokensOfAPersonWhoseSessionsHaveAllEnded() {
        endsWith(
                "update user_identity i set token_version = 'next' from platform_user u where u.id = $1"
                        + " and i.id = u.identity_id",
                "update user_identity i set token_version = null from platform_user u where u.id = $1"
                        + " and i.id = u.identity_id");
    }

    private static void endsWith(String change, String undoing) {
        // Given
        var tokens = exchange();
        var credentials = new ClientCredentials(Optional.of(CLIENT), Optional.empty());
        var offer = new Grants.Offer.Refresh(tokens.refreshToken().orElseThrow(), Optional.empty());
        await(database.query(change, userId));

        try {
            // Then
            assertUnknown(tokens.accessToken(), MCP);
            assertThatThrownBy(() -> await(bus.ask(new Grants.Exchange(credentials, offer, ISSUER), DEADLINE_MS)))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.OAUTH_INVALID_GRANT));
        } finally {
            await(database.query(undoing, userId));
        }
    }

    /** Tokens for a new consent of a user. */
    private static Tokens exchange() {
        var code = Ids.random(64);
        var digest = Hashes.sha256(VERIFIER.getBytes(StandardCharsets.UTF_8));
        var challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        await(database.query("""
                insert into mcp_grant (id, created, client_id, user_id, platform_id, redirect_uri, code_challenge, code_hash,
                                       expires)
                select $1, now(), $2, id, platform_id, $4, $5, $6, 'infinity' from platform_user where id = $3
                """, Ids.next(), CLIENT, userId, BACK, challenge, Hashes.sha256Hex(code)));
        var credentials = new ClientCredentials(Optional.of(CLIENT), Optional.empty());
        var offer = new Grants.Offer.Code(code, VERIFIER, BACK, Optional.of(MCP));
        return await(bus.ask(new Grants.Exchange(credentials, offer, ISSUER), DEADLINE_MS));
    }

    private static TokenAccess identify(String token, String resource) {
        return await(bus.ask(new Grants.Identify(token, resource), DEADLINE_MS));
    }

    private static void assertUnknown(String token, String resource) {
        assertThatThrownBy(() -> identify(token, resource))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_BEARER_TOKEN));
    }
}
