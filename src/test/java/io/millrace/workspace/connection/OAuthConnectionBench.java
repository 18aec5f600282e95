package io.millrace.workspace.connection;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.AuditLog;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.secret.SecretBox;
import io.millrace.piece.IssuedToken;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceService;
import io.millrace.support.MovableClock;
import io.millrace.support.RecordedLog;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestProjects;
import io.millrace.support.piece.BarePiece;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.millrace.workspace.oauth.OAuthAppService;
import io.millrace.workspace.oauth.OAuthVerticle;
import io.millrace.workspace.project.ProjectEventSubjects;
import io.millrace.workspace.secretmanager.SecretManagerService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** OAuth connections at nodes of one database, with a provider on this host; no secret is ever logged. */
abstract class OAuthConnectionBench {
    static final long DEADLINE_MS = 25_000;
    static final String PIECE = "@test/piece-mill";
    static final String TOKEN_PIECE = "@test/piece-token";
    static final String CLIENT_SECRET = "the-client-keeps-this";
    static final SecretBox BOX = new SecretBox("0123456789abcdef0123456789abcdef");
    static TestDatabase opened;
    static DatabaseSettings settings;
    static Database database;
    final MovableClock clock = new MovableClock();
    final OAuthProvider provider = new OAuthProvider();
    final List<Vertx> nodes = new ArrayList<>();
    final List<String> validated = new ArrayList<>();
    final List<String> askedKeys = new CopyOnWriteArrayList<>();
    volatile Supplier<Future<Optional<IssuedToken>>> issuing = () -> Future.succeededFuture(Optional.empty());
    RecordedLog log;
    Bus bus;
    String projectId;
    Principal by;

    @BeforeAll
    static void start() {
        opened = new TestDatabase();
        settings = opened.settings();
        database = opened.database();
    }

    @AfterAll
    static void stop() {
        opened.close();
    }

    Optional<String> objection = Optional.empty();

    /** Authority of the piece's address for tokens; it may have a placeholder. */
    String authority = "";

    /** Values that the piece offers for its field {@code host}. */
    List<String> hosts = List.of();

    @BeforeEach
    void open() {
        log = RecordedLog.of("io.millrace");
        bus = node();
        authority = provider.origin();
        projectId = TestProjects.insert(database);
        by = new Principal.SignedInUser(projectId, projectId, PlatformRole.ADMIN);
    }

    @AfterEach
    void saysNoSecret() {
        provider.close();
        nodes.forEach(node -> await(node.close()));
        assertThat(String.join("\n", log.lines())).doesNotContain(CLIENT_SECRET, "token-", "refresh-");
        log.close();
    }

    /** Another node on the same database. */
    Bus node() {
        return node(settings);
    }

    /** Another node with another connection to the database. */
    Bus node(DatabaseSettings seen) {
        var nodeVertx = TestPostgres.vertx();
        nodes.add(nodeVertx);
        var nodeBus = new Bus(nodeVertx);
        var nodeDatabase = Database.open(nodeVertx, seen);
        var http = new OutboundHttp(nodeVertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        var room = new ConnectionServices(
                nodeVertx,
                nodeBus,
                nodeDatabase,
                BOX,
                FlowConnections.none(),
                new AuditLog(new ProjectEventSubjects(), clock),
                new RowBound(10_000, "AP_PROJECT_ROWS_MAX"),
                clock);
        var services = new ArrayList<BusService>(room.busServices());
        services.add(new PieceService(new PieceCatalogue(List.of(new MillPiece(), new TokenPiece()))));
        services.add(new SecretManagerService(nodeBus, nodeDatabase, BOX, http, clock));
        await(nodeVertx.deployVerticle(new PersistenceVerticle(nodeBus, services)));
        var apps = new OAuthAppService(nodeBus, nodeDatabase, BOX, clock, () -> "https://mill.example");
        await(nodeVertx.deployVerticle(new PersistenceVerticle(nodeBus, List.of(apps))));
        await(nodeVertx.deployVerticle(new OAuthVerticle(nodeBus, http, clock)));
        return nodeBus;
    }

    /** Piece that accepts OAuth2 or a text, and validates it itself. */
    final class MillPiece implements BarePiece {
        @Override
        public PieceSpec spec() {
            var auth = Json.object()
                    .put("type", "OAUTH2")
                    .put("authUrl", provider.origin() + "/authorize?tenant={tenant}")
                    .put("tokenUrl", authority + "/{tenant}/token")
                    .put("pkce", true)
                    .put("pkceMethod", "S256");
            auth.putArray("scope").add("read").add("write");
            auth.putObject("extra").put("audience", "mill");
            var host = auth.putObject("props").putObject("host").put("type", "STATIC_DROPDOWN");
            var options = host.putObject("options").putArray("options");
            hosts.forEach(value -> options.addObject().put("label", value).put("value", value));
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

    /** Piece whose credentials are an API key, for which it issues tokens. */
    final class TokenPiece implements BarePiece {
        @Override
        public PieceSpec spec() {
            var auth = Json.object().put("type", "CUSTOM_AUTH");
            auth.putObject("refresh");
            return new PieceSpec(TOKEN_PIECE, "Token", "", "", List.of(), List.of(), List.of("0.1.0"), auth);
        }

        @Override
        public Future<Optional<IssuedToken>> issueToken(ObjectNode value, Optional<String> forProject) {
            askedKeys.add(value.at("/props/key").asText());
            return issuing.get();
        }
    }

    NewConnection request(String type) {
        return request(type, _ -> {});
    }

    static NewConnection request(String type, Consumer<ObjectNode> edit) {
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
        var request = NewConnection.read(fields);
        fields.done();
        return request;
    }

    ConnectionView save(NewConnection request) {
        return await(bus.ask(new Connections.Save(by, projectId, request), DEADLINE_MS));
    }

    ConnectionUse use(Bus node) {
        return await(node.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS))
                .get("mill");
    }

    ObjectNode usable(Bus node) {
        var use = use(node);
        assertThat(use).isInstanceOf(ConnectionUse.Usable.class);
        return ((ConnectionUse.Usable) use).value();
    }

    ConnectionStatus status(String id) {
        return await(bus.ask(new Connections.Show(id, projectId), DEADLINE_MS))
                .connection()
                .status();
    }
}
