package io.millrace.workspace.embedding;

import static io.millrace.support.ModuleServer.json;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.account.audit.AuditLog;
import io.millrace.account.identity.AccessTokens;
import io.millrace.account.identity.TokenService;
import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.RsaKeys;
import io.millrace.support.ModuleServer;
import io.millrace.support.MovableClock;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.millrace.workspace.project.ProjectEventSubjects;
import io.millrace.workspace.project.ProjectPlatformLookup;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A key is generated and shown. It is short here: the server's own take many seconds. */
class SigningKeyIT {
    private static final String KEYS = "/v1/signing-keys";

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Vertx vertx = opened.vertx();
    private static Database database = opened.database();
    private static ModuleServer server;
    private static String bearer;

    @BeforeAll
    static void start() {
        var bus = new Bus(vertx);
        var clock = new MovableClock();
        var tokens = new AccessTokens("signs tokens", clock);
        server = ModuleServer.start(
                vertx,
                bus,
                List.of(
                        new TokenService(database, tokens, new ProjectPlatformLookup(), clock),
                        new SigningKeyService(
                                vertx,
                                database,
                                new AuditLog(new ProjectEventSubjects(), clock),
                                () -> RsaKeys.generate(2048),
                                clock)),
                List.of(new SigningKeyRoutes(bus)));
        var platformId = TestProjects.insert(database);
        bearer = TestProjects.bearer(tokens, platformId);
    }

    @Test
    void givesThePrivateHalfAway_andKeepsTheOther() {
        // When
        var made = server.post(KEYS, "{'displayName':'Our shop'}", "Authorization", bearer);
        var key = json(made);
        var found = server.get(KEYS + "/" + key.path("id").asText(), "Authorization", bearer);
        var listed = json(server.get(KEYS, "Authorization", bearer));
        var events = await(database.read(tx -> tx.query("select body from audit_event")));

        // Then
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(key.path("displayName").asText()).isEqualTo("Our shop");
        assertThat(key.path("algorithm").asText()).isEqualTo("RSA");
        assertThat(key.path("publicKey").asText()).startsWith("-----BEGIN RSA PUBLIC KEY-----");
        assertThat(key.path("privateKey").asText()).startsWith("-----BEGIN RSA PRIVATE KEY-----");
        assertThat(json(found).has("privateKey")).isFalse();
        assertThat(listed.path("data")).containsExactly(json(found));
        assertThat(events.iterator().next().getString(0))
                .contains(key.path("id").asText())
                .doesNotContain("KEY-----");
        var stored = await(database.read(tx -> tx.query("select to_jsonb(k)::text as row from signing_key k")));
        assertThat(stored.iterator().next().getString("row")).doesNotContain("PRIVATE");
    }

    @Test
    void doesNotNameAKey_withoutAName() {
        assertThat(server.post(KEYS, "{'displayName':''}", "Authorization", bearer)
                        .statusCode())
                .isEqualTo(400);
        assertThat(server.post(KEYS, "{'displayName':'Our shop'}").statusCode()).isEqualTo(403);
    }

    @Test
    void neverShowsThePrivateHalf_asText() {
        assertThat(new SigningKeys.NewSigningKey(null, "-----BEGIN RSA PRIVATE KEY-----").toString())
                .doesNotContain("PRIVATE");
    }
}
