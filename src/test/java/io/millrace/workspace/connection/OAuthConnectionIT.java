package io.millrace.workspace.connection;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.AuditLog;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Fields;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.DatabaseSettings;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.base.secret.SecretBox;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceService;
import io.millrace.support.BarePiece;
import io.millrace.support.MovableClock;
import io.millrace.support.RecordedLog;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestProjects;
import io.millrace.support.VaultServer;
import io.millrace.workspace.oauth.OAuthAppService;
import io.millrace.workspace.oauth.OAuthApps;
import io.millrace.workspace.oauth.OAuthVerticle;
import io.millrace.workspace.project.ProjectEventSubjects;
import io.millrace.workspace.secretmanager.SecretManager;
import io.millrace.workspace.secretmanager.SecretManagerService;
import io.millrace.workspace.secretmanager.SecretManagers;
import io.millrace.workspace.secretmanager.SecretVendor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections whose token comes from a provider, and pieces that have a say. */
class OAuthConnectionIT {
    private static final long DEADLINE_MS = 25_000;
    private static final String PIECE = "@test/piece-mill";
    private static final String CLIENT_SECRET = "the-client-keeps-this";
    private static final SecretBox BOX = new SecretBox("0123456789abcdef0123456789abcdef");

    private static DatabaseSettings settings;
    private static Vertx vertx;
    private static Database database;

    private final MovableClock clock = new MovableClock();
    private final OAuthProvider provider = new OAuthProvider();
    private final List<Vertx> nodes = new ArrayList<>();
    private final List<String> validated = new ArrayList<>();
    private Optional<String> objection = Optional.empty();
    private RecordedLog log;
    private Bus bus;
    private String projectId;
    private Principal by;

    @BeforeAll
    static void openDatabase() {
        vertx = TestPostgres.vertx();
        settings = TestPostgres.freshDatabase();
        database = Database.open(vertx, settings);
    }

    @AfterAll
    static void closeDatabase() {
        await(database.close());
        await(vertx.close());
    }

    @BeforeEach
    void open() {
        log = RecordedLog.of("io.millrace");
        bus = node();
        projectId = TestProjects.insert(database);
        by = new Principal.User(projectId, projectId, PlatformRole.ADMIN);
    }

    @AfterEach
    void saysNoSecret() {
        provider.close();
        nodes.forEach(node -> await(node.close()));
        assertThat(String.join("\n", log.lines())).doesNotContain(CLIENT_SECRET, "token-", "refresh-");
        log.close();
    }

    /** A node of its own over the same database. */
    private Bus node() {
        var nodeVertx = TestPostgres.vertx();
        nodes.add(nodeVertx);
        var nodeBus = new Bus(nodeVertx);
        var nodeDatabase = Database.open(nodeVertx, settings);
        var http = new OutboundHttp(nodeVertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        var room = new ConnectionServices(
                nodeVertx,
                nodeBus,
                nodeDatabase,
                BOX,
                FlowConnections.none(),
                new AuditLog(new ProjectEventSubjects(), clock),
                clock);
        var services = new ArrayList<BusService>(room.busServices());
        services.add(new PieceService(new PieceCatalogue(List.of(new MillPiece()))));
        services.add(new SecretManagerService(nodeBus, nodeDatabase, BOX, http, clock));
        await(nodeVertx.deployVerticle(new PersistenceVerticle(nodeBus, services)));
        var apps = new OAuthAppService(nodeBus, nodeDatabase, BOX, clock, () -> "https://mill.example");
        await(nodeVertx.deployVerticle(new PersistenceVerticle(nodeBus, List.of(apps))));
        await(nodeVertx.deployVerticle(new OAuthVerticle(nodeBus, http, clock)));
        return nodeBus;
    }

    /** A piece that takes OAuth2 or a text, and asks itself whether it likes it. */
    private final class MillPiece implements BarePiece {
        @Override
        public PieceSpec spec() {
            var auth = Json.object()
                    .put("type", "OAUTH2")
                    .put("authUrl", provider.origin() + "/authorize?tenant={tenant}")
                    .put("tokenUrl", provider.origin() + "/{tenant}/token")
                    .put("pkce", true)
                    .put("pkceMethod", "S256");
            auth.putArray("scope").add("read").add("write");
            auth.putObject("extra").put("audience", "mill");
            return new PieceSpec(PIECE, "Mill", "", "", List.of(), List.of(), List.of("0.1.0"), auth);
        }

        @Override
        public Future<Optional<String>> validate(ObjectNode value) {
            validated.add(value.path("access_token").asText());
            return objection.filter("broken"::equals).isPresent()
                    ? Future.failedFuture(new IllegalStateException(CLIENT_SECRET))
                    : Future.succeededFuture(objection);
        }
    }

    @Test
    void claimsTheCode_andGivesRunsTheTokenOnly() {
        // When
        var made = save(wish("OAUTH2"));

        // Then
        assertThat(made.connection().status()).isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(provider.lastAsked().path()).isEqualTo("/north/token");
        assertThat(provider.lastAsked().form())
                .containsOnly(
                        Map.entry("grant_type", "authorization_code"),
                        Map.entry("code", "4711"),
                        Map.entry("redirect_uri", "https://mill.example.com/redirect"),
                        Map.entry("code_verifier", "verifier"),
                        Map.entry("client_id", "mill"),
                        Map.entry("client_secret", CLIENT_SECRET));
        assertThat(validated).containsExactly("token-1");
        var value = usable(bus);
        assertThat(value.path("type").asText()).isEqualTo("OAUTH2");
        assertThat(value.path("access_token").asText()).isEqualTo("token-1");
        assertThat(value.at("/data/instance_url").asText()).isEqualTo("https://mill.example.com");
        assertThat(value.at("/props/tenant").asText()).isEqualTo("north");
        assertThat(value.path("claimed_at").asLong()).isEqualTo(clock.instant().getEpochSecond());
        assertThat(value.has("refresh_token")).isFalse();
        assertThat(value.has("client_secret")).isFalse();
    }

    @Test
    void provesTheClientInTheHeader_whenAskedTo() {
        // When
        save(wish("OAUTH2", value -> value.put("authorization_method", "HEADER")));

        // Then
        assertThat(provider.lastAsked().authorization()).startsWith("Basic ");
        assertThat(provider.lastAsked().form()).doesNotContainKeys("client_id", "client_secret");
    }

    @Test
    void claimsWithoutACode_forClientCredentials_andRenewsTheSameWay() {
        // Given
        save(wish("OAUTH2", value -> value.put("grant_type", "client_credentials")));
        assertThat(provider.lastAsked().form())
                .containsEntry("grant_type", "client_credentials")
                .containsEntry("scope", "read")
                .containsEntry("tenant", "north")
                .doesNotContainKey("code");

        // When
        clock.advance(Duration.ofMinutes(50));

        // Then
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-2");
        assertThat(provider.lastAsked().form()).containsEntry("grant_type", "client_credentials");
    }

    @Test
    void refusesWhatTheProviderRefuses_withItsWords() {
        // Given
        provider.say(
                400, "{'error':'invalid_grant','error_description':'Code was used','echo':'" + CLIENT_SECRET + "'}");

        // When
        var refused = refusal(wish("OAUTH2"));

        // Then
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CLAIM);
        assertThat(refused.params().path("message").asText()).isEqualTo("invalid_grant: Code was used");
        assertThat(refused.params().path("clientId").asText()).isEqualTo("mill");
        assertThat(refused.params().toString()).doesNotContain(CLIENT_SECRET);
        assertThat(use(bus)).isInstanceOf(ConnectionUse.NotFound.class);
    }

    @Test
    void refusesWhatThePieceRefuses() {
        // Given
        objection = Optional.of("unknown mill");

        // When
        var refused = refusal(wish("OAUTH2"));
        objection = Optional.of("broken");
        var broken = refusal(wish("OAUTH2"));
        objection = Optional.empty();
        var otherType = refusal(wish("SECRET_TEXT", value -> value.put("secret_text", "x")));

        // Then
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_APP_CONNECTION);
        assertThat(refused.params().path("error").asText()).isEqualTo("unknown mill");
        assertThat(broken.code()).isEqualTo(ErrorCode.ENGINE_OPERATION_FAILURE);
        assertThat(broken.getMessage()).doesNotContain(CLIENT_SECRET);
        assertThat(otherType.params().path("error").asText())
                .isEqualTo("expected credentials of type OAUTH2, found SECRET_TEXT");
        assertThat(use(bus)).isInstanceOf(ConnectionUse.NotFound.class);
    }

    @Test
    void renewsBeforeTheEnd_onceForAllWhoWait() {
        // Given
        save(wish("OAUTH2"));
        clock.advance(Duration.ofMinutes(44));
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-1");
        provider.say(200, "{'access_token':'token-new','expires_in':'3600'}");

        // When
        clock.advance(Duration.ofMinutes(2));
        var all = new ArrayList<Future<Map<String, ConnectionUse>>>();
        for (var i = 0; i < 50; i++) {
            all.add(bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS));
        }
        await(Future.all(all));

        // Then
        assertThat(all)
                .allSatisfy(
                        one -> assertThat(((ConnectionUse.Usable) one.result().get("mill"))
                                        .value()
                                        .path("access_token")
                                        .asText())
                                .isEqualTo("token-new"));
        assertThat(provider.asked()).hasSize(2);
        assertThat(provider.lastAsked().form())
                .containsEntry("grant_type", "refresh_token")
                .containsEntry("refresh_token", "refresh-1");

        // When it is due again, the first refresh token still counts: no other was given
        clock.advance(Duration.ofMinutes(50));
        usable(bus);
        assertThat(provider.lastAsked().form()).containsEntry("refresh_token", "refresh-1");
    }

    @Test
    void renewsOnOneNodeOnly() {
        // Given
        var otherNode = node();
        save(wish("OAUTH2"));
        clock.advance(Duration.ofMinutes(50));
        provider.hold();

        // When
        var first = bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);
        var second = usable(otherNode);
        provider.release();

        // Then
        assertThat(second.path("access_token").asText()).isEqualTo("token-1");
        assertThat(((ConnectionUse.Usable) await(first).get("mill"))
                        .value()
                        .path("access_token")
                        .asText())
                .isEqualTo("token-2");
        assertThat(provider.asked()).hasSize(2);
        clock.advance(Duration.ofSeconds(6));
        assertThat(usable(otherNode).path("access_token").asText()).isEqualTo("token-2");
    }

    @Test
    void waitsForTheOtherNode_whenTheTokenIsDead() {
        // Given
        var otherNode = node();
        save(wish("OAUTH2"));
        clock.advance(Duration.ofHours(2));
        provider.hold();

        // When
        var first = bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);
        var second = otherNode.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.release();

        // Then
        for (var use : List.of(await(first), await(second))) {
            assertThat(((ConnectionUse.Usable) use.get("mill"))
                            .value()
                            .path("access_token")
                            .asText())
                    .isEqualTo("token-2");
        }
        assertThat(provider.asked()).hasSize(2);
    }

    @Test
    void takesOverFromANodeThatIsGone() {
        // Given
        save(wish("OAUTH2"));
        await(database.query(
                "update app_connection set refresh_claim = 'gone', refresh_claimed = now() - interval '61 seconds'"
                        + " where project_id = $1",
                projectId));

        // When
        clock.advance(Duration.ofHours(2));

        // Then
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-2");
    }

    @Test
    void doesNotWriteOverAValueThatWasGivenMeanwhile() {
        // Given
        save(wish("OAUTH2"));
        clock.advance(Duration.ofHours(2));
        provider.hold();
        var use = bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);

        // When
        var saving = bus.ask(new Connections.Save(by, projectId, wish("OAUTH2")), DEADLINE_MS);
        provider.awaitAsked(3);
        var answers = Future.all(use, saving);
        provider.release();
        await(answers);

        // Then
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-3");
    }

    @Test
    void isInError_onceTheProviderRefusesToRenew_untilItIsSavedAnew() {
        // Given
        var id = save(wish("OAUTH2")).connection().id();
        provider.say(400, "{'error':'invalid_grant'}");

        // When
        clock.advance(Duration.ofMinutes(50));

        // Then
        assertThat(use(bus)).isInstanceOf(ConnectionUse.Expired.class);
        assertThat(status(id)).isEqualTo(ConnectionStatus.ERROR);
        assertThat(use(bus)).isInstanceOf(ConnectionUse.Expired.class);
        assertThat(provider.asked()).hasSize(2);

        // When the recheck renews it, all is well
        assertThat(await(bus.ask(new Connections.Revalidate(id, projectId), DEADLINE_MS))
                        .connection()
                        .status())
                .isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-3");
    }

    @Test
    void staysInError_whenTheRecheckIsRefusedToo() {
        // Given
        var id = save(wish("OAUTH2")).connection().id();
        provider.say(400, "{'error':'invalid_grant'}");
        provider.say(401, "{'error':'invalid_client'}");
        clock.advance(Duration.ofMinutes(50));
        use(bus);

        // When
        var rechecked = await(bus.ask(new Connections.Revalidate(id, projectId), DEADLINE_MS));

        // Then
        assertThat(rechecked.connection().status()).isEqualTo(ConnectionStatus.ERROR);
    }

    @Test
    void bearsAProviderThatIsDown_whileTheTokenLives_andThenLeavesItAlone() {
        // Given
        var id = save(wish("OAUTH2")).connection().id();
        for (var i = 0; i < 20; i++) {
            provider.say(503, "{}");
        }

        // When
        clock.advance(Duration.ofMinutes(50));
        var alive = use(bus);
        clock.advance(Duration.ofMinutes(20));
        var dead = use(bus);
        for (var i = 0; i < 10; i++) {
            use(bus);
        }

        // Then
        assertThat(alive).isInstanceOf(ConnectionUse.Usable.class);
        assertThat(dead).isInstanceOf(ConnectionUse.Unloadable.class);
        assertThat(status(id)).isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(provider.asked()).hasSize(1 + 5);
    }

    @Test
    void usesTheClientOfThePlatform() {
        // Given
        await(bus.ask(new OAuthApps.Save(by, PIECE, "mill", CLIENT_SECRET), DEADLINE_MS));

        // When
        save(wish("PLATFORM_OAUTH2", value -> value.remove("client_secret")));
        clock.advance(Duration.ofMinutes(50));

        // Then
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-2");
        assertThat(provider.asked())
                .allSatisfy(asked -> assertThat(asked.form()).containsEntry("client_secret", CLIENT_SECRET));
        assertThat(refusal(wish("PLATFORM_OAUTH2", value -> value.put("client_id", "other")))
                        .code())
                .isEqualTo(ErrorCode.INVALID_CLAIM);
    }

    @Test
    void asksWithTheSecretThatItsClientRefersTo_andKeepsTheReference() {
        try (var vault = new VaultServer()) {
            // Given
            vault.keep("secret/data/mill", "{'client':'first-secret'}");
            var manager = new SecretManagers.Parameters(
                    SecretVendor.HASHICORP, "Vault", SecretManager.Scope.PLATFORM, List.of(), vault.hashicorp());
            var id = await(bus.ask(new SecretManagers.Save(by, Optional.empty(), manager), DEADLINE_MS))
                    .path("id")
                    .asText();
            var reference = "{{" + id + "|ap_sep_v1|secret/data/mill/client}}";

            // When
            var saved = save(wish("OAUTH2", value -> value.put("client_secret", reference)));
            vault.keep("secret/data/mill", "{'client':'second-secret'}");
            clock.advance(Duration.ofMinutes(50));
            usable(bus);
            clock.advance(Duration.ofMinutes(50));
            usable(bus);

            // Then
            assertThat(saved.connection().usingSecretManager()).isTrue();
            assertThat(provider.asked())
                    .extracting(asked -> asked.form().get("client_secret"))
                    .containsExactly("first-secret", "first-secret", "second-secret");
        }
    }

    @Test
    void sendsUsersToTheProvider() {
        // Given
        var props = Optional.of(Json.object().put("tenant", "north"));

        // When
        var answer = await(bus.ask(
                new OAuthApps.FindAuthorizationUrl(
                        by,
                        PIECE,
                        Optional.empty(),
                        "mill",
                        "https://mill.example.com/redirect",
                        Optional.empty(),
                        props),
                DEADLINE_MS));

        // Then
        assertThat(answer.path("codeVerifier").asText()).hasSize(64);
        assertThat(answer.path("authorizationUrl").asText())
                .startsWith(provider.origin() + "/authorize?tenant=north&response_type=code&client_id=mill"
                        + "&redirect_uri=https%3A%2F%2Fmill.example.com%2Fredirect")
                .contains("&scope=read+write", "&code_challenge_method=S256", "&audience=mill", "&state=")
                .doesNotContain(answer.path("codeVerifier").asText());
    }

    private NewConnection wish(String type) {
        return wish(type, _ -> {});
    }

    private static NewConnection wish(String type, Consumer<ObjectNode> edit) {
        var body = Json.object()
                .put("externalId", "mill")
                .put("displayName", "Mill")
                .put("pieceName", PIECE)
                .put("type", type);
        var value = body.putObject("value")
                .put("type", type)
                .put("client_id", "mill")
                .put("client_secret", CLIENT_SECRET)
                .put("code", "4711")
                .put("code_challenge", "verifier")
                .put("redirect_url", "https://mill.example.com/redirect")
                .put("scope", "read");
        value.putObject("props").put("tenant", "north");
        edit.accept(value);
        var fields = Fields.of("body", body);
        var wish = NewConnection.read(fields);
        fields.done();
        return wish;
    }

    private ConnectionView save(NewConnection wish) {
        return await(bus.ask(new Connections.Save(by, projectId, wish), DEADLINE_MS));
    }

    private ApiException refusal(NewConnection wish) {
        return catchThrowableOfType(ApiException.class, () -> save(wish));
    }

    private ConnectionUse use(Bus node) {
        return await(node.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS))
                .get("mill");
    }

    private ObjectNode usable(Bus node) {
        var use = use(node);
        assertThat(use).isInstanceOf(ConnectionUse.Usable.class);
        return ((ConnectionUse.Usable) use).value();
    }

    private ConnectionStatus status(String id) {
        return await(bus.ask(new Connections.Show(id, projectId), DEADLINE_MS))
                .connection()
                .status();
    }
}
