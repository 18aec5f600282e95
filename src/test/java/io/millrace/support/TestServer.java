package io.millrace.support;

import io.millrace.account.identity.AccessTokens;
import io.millrace.app.Server;
import io.millrace.app.ServerExtensions;
import io.millrace.app.ServerVertx;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.config.Config;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.Routes;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.secret.SecretWork;
import io.millrace.piece.Piece;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * The real server on a free port, with a separate database. The clock is stopped until the test advances it, unless the
 * server was started in real time.
 */
public final class TestServer implements AutoCloseable {
    /** Key that signs this server's tokens. */
    public static final String JWT_SECRET = "a secret that only tests know";

    /** Key that encrypts this server's secrets. */
    public static final String ENCRYPTION_KEY = "0123456789abcdef0123456789abcdef";

    /** Production needs 0.1 s of processor time for a password, and many seconds for a signing key. */
    private static final SecretWork SHORT_WORK = new SecretWork(4, 2048);

    private final AtomicReference<Throwable> crash = new AtomicReference<>();
    private final Map<String, String> wanted;
    private final ServerExtensions extensions;
    private final SharedDatabase shared;
    private final DatabaseSettings seen;
    private final DataDirectory directory = DataDirectory.create();
    private final MovableClock clock;
    private final int port;
    private final ApiClient anonymous;

    // Released at close: test classes keep their servers until the test process ends.
    private Vertx vertx = ServerVertx.create();
    private Vertx databaseVertx = TestPostgres.vertx();
    private Database database;
    private Server server;

    private boolean stopped;

    private TestServer(Map<String, String> wanted, SharedDatabase shared, MovableClock clock, List<Piece> pieces) {
        this(wanted, shared, shared.settings(), clock, ServerExtensions.of(pieces));
    }

    /** @param seen the settings with which the server reaches its database */
    private TestServer(
            Map<String, String> wanted,
            SharedDatabase shared,
            DatabaseSettings seen,
            MovableClock clock,
            ServerExtensions extensions) {
        this.wanted = wanted;
        this.extensions = extensions.withSecretWork(SHORT_WORK);
        this.shared = shared.enter();
        this.seen = seen;
        this.database = Database.open(databaseVertx, shared.settings());
        this.clock = clock;
        this.server = started();
        this.port = server.port();
        this.anonymous = ApiClient.anonymous(port);
    }

    private Server started() {
        try {
            return Waiting.await(Server.start(
                    vertx,
                    config(wanted),
                    Optional.of(seen),
                    clock,
                    extensions,
                    cause -> crash.compareAndSet(null, cause)));
        } catch (RuntimeException | AssertionError refused) {
            Waiting.await(database.close());
            Waiting.await(databaseVertx.close());
            Waiting.await(vertx.close());
            directory.close();
            shared.leave();
            throw refused;
        }
    }

    /** Starts a server without a limit of sign-ins. */
    public static TestServer start() {
        return start(Map.of());
    }

    /** Starts a server with some settings. */
    public static TestServer start(Map<String, String> settings) {
        return start(settings, List.of());
    }

    /** Starts a server with additional pieces. */
    public static TestServer start(Map<String, String> settings, List<Piece> pieces) {
        return new TestServer(settings, SharedDatabase.fresh(), new MovableClock(), pieces);
    }

    /** Starts a server with a running clock, as timers and measured durations need. */
    public static TestServer startInRealTime(Map<String, String> settings) {
        return new TestServer(settings, SharedDatabase.fresh(), MovableClock.going(), List.of());
    }

    /** Starts a server with a running clock and additional pieces. */
    public static TestServer startInRealTime(Map<String, String> settings, List<Piece> pieces) {
        return new TestServer(settings, SharedDatabase.fresh(), MovableClock.going(), pieces);
    }

    /**
     * Starts a server in real time that calls providers of models at another address.
     *
     * @param origins maps the host of a provider to its base address
     */
    public static TestServer startWithVendors(Map<String, String> settings, UnaryOperator<String> origins) {
        var shared = SharedDatabase.fresh();
        return new TestServer(
                settings,
                shared,
                shared.settings(),
                MovableClock.going(),
                ServerExtensions.of(List.of()).withVendorOrigins(origins));
    }

    /**
     * Starts a server in real time whose database connection can be cut; the test's own connection is direct.
     *
     * @param recoveryHaste divisor of the periods in which it looks for runs without an owner
     */
    public static TestServer startBehind(
            FaultyProxy way, Map<String, String> settings, DatabaseSettings database, int recoveryHaste) {
        return startBehind(way, settings, database, recoveryHaste, List.of());
    }

    /** As above, with additional pieces. */
    public static TestServer startBehind(
            FaultyProxy way,
            Map<String, String> settings,
            DatabaseSettings database,
            int recoveryHaste,
            List<Piece> pieces) {
        return new TestServer(
                settings,
                SharedDatabase.of(database),
                way.seen(database),
                MovableClock.going(),
                ServerExtensions.of(pieces).withRecoveryHaste(recoveryHaste));
    }

    /** Stops the server; its database stays readable. */
    public void stopServer() {
        if (!stopped) {
            stopped = true;
            Waiting.await(server.stop());
            server = null;
            Waiting.await(vertx.close());
            vertx = null;
        }
    }

    /** Another server with the same settings and the same database. */
    public TestServer successor() {
        return new TestServer(wanted, shared, shared.settings(), clock, extensions);
    }

    /** Another server with other settings and the same database. */
    public TestServer successor(Map<String, String> others) {
        return new TestServer(others, shared, shared.settings(), clock, extensions);
    }

    /** Settings of the server's database. */
    public String databaseUrl() {
        return TestPostgres.url(shared.settings());
    }

    /** The mounted routes. */
    public List<Routes.MountedRoute> routes() {
        return server.routes();
    }

    /** A client without a token. */
    public ApiClient anonymous() {
        return anonymous;
    }

    /** Signs up and returns a client with the new account's token. */
    public SignedIn signUp(String email, String firstName) {
        var answer = anonymous.post("/v1/authentication/sign-up", ApiClient.signUpBody(email, firstName));
        if (answer.status() != 200) {
            throw new AssertionError("expected to sign up, found " + answer);
        }
        return new SignedIn(
                anonymous.with(answer.text("/token")),
                answer.text("/id"),
                answer.text("/platformId"),
                answer.text("/projectId"));
    }

    /** Signs up, and gives the new account this platform role. */
    public SignedIn signUp(String email, String firstName, PlatformRole role) {
        var user = signUp(email, firstName);
        give(user, role);
        return user;
    }

    /** Gives a user another platform role directly in the database; the API for it has a separate test. */
    public void give(SignedIn user, PlatformRole role) {
        execute("update platform_user set platform_role = $2 where id = $1", user.userId(), role);
    }

    /** Makes a user a member of a project directly in the database; invitations have a separate test. */
    public void join(SignedIn user, String projectId, String roleName) {
        execute("""
                insert into project_member (id, created, updated, platform_id, project_id, user_id, project_role_id)
                select $1, now(), now(), $2, $3, $4, id from project_role where name = $5
                """, Ids.next(), user.platformId(), projectId, user.userId(), roleName);
    }

    /** Creates a team project of another platform; returns its id. */
    public String foreignProject() {
        var platformId = Ids.next();
        var userId = Ids.next();
        var identityId = Ids.next();
        var projectId = Ids.next();
        execute("""
                with platform as (
                    insert into platform (id, created, updated, owner_id, name) values ($1, now(), now(), $2, 'Other')),
                identity as (
                    insert into user_identity (id, created, updated, email, password_hash, first_name, last_name,
                                               provider, verified, track_events, news_letter)
                    values ($3, now(), now(), $3 || '@example.org', '', 'Otto', 'Other', 'EMAIL', true, true, true)),
                person as (
                    insert into platform_user (id, created, updated, identity_id, platform_id, platform_role, status)
                    values ($2, now(), now(), $3, $1, 'ADMIN', 'ACTIVE')),
                project as (
                    insert into project (id, created, updated, platform_id, owner_id, display_name, type, icon_color,
                                         releases_enabled)
                    values ($4, now(), now(), $1, $2, 'Other', 'TEAM', 'RED', false))
                insert into project_plan (id, created, updated, project_id, locked, name, pieces_filter_type, pieces)
                values ($4, now(), now(), $4, false, 'other', 'NONE', '{}')
                """, platformId, userId, identityId, projectId);
        return projectId;
    }

    /** The administrator of another platform, in a team project of that platform. */
    public SignedIn foreigner() {
        var projectId = foreignProject();
        var platformId = text("select platform_id from project where id = $1", projectId);
        var userId = text("select owner_id from project where id = $1", projectId);
        var claims = Json.object().put("id", userId);
        claims.putObject("platform").put("id", platformId);
        var token = new AccessTokens(JWT_SECRET, clock).issue("USER", claims, Duration.ofDays(1));
        return new SignedIn(anonymous.with(token), userId, platformId, projectId);
    }

    /** Executes a statement for states that no endpoint can create. */
    public void execute(String sql, Object... values) {
        Waiting.await(database.query(sql, values));
    }

    /** Prevents every node from renewing its lease, as an unavailable database does. */
    public void blockLeaseRenewals() {
        execute("""
                create function block_lease() returns trigger language plpgsql as
                $$ begin raise exception 'renewals are blocked by the test'; end $$
                """);
        execute("create trigger block_lease before update on node for each row execute function block_lease()");
    }

    public void permitLeaseRenewals() {
        execute("drop trigger block_lease on node");
        execute("drop function block_lease()");
    }

    /** True if no node has renewed its lease within a period. */
    public boolean hasNotRenewedItsLease(Duration period, Duration lease) {
        return count(
                        "select count(*) from node where lease_until > now() + make_interval(secs => $1)",
                        lease.minus(period).toMillis() / 1_000d)
                == 0;
    }

    /** The single number that a query returns. */
    public long count(String sql, Object... values) {
        return Waiting.await(database.query(sql, values)).iterator().next().getLong(0);
    }

    /** The single text that a query returns. */
    public String text(String sql, Object... values) {
        return Waiting.await(database.query(sql, values)).iterator().next().getString(0);
    }

    public MovableClock clock() {
        return clock;
    }

    /** Disconnects the running server from its database: rejects new connections and closes the existing ones. */
    public void loseDatabase() {
        TestPostgres.cut(shared.settings().database());
    }

    /** Occupies all worker threads of the server. */
    public HeldWorkers holdWorkers() {
        return HeldWorkers.of(vertx);
    }

    /** Folder of the server's local files. */
    public Path dataDirectory() {
        return directory.path();
    }

    /** Port of the server, for clients that need more than {@link ApiClient}. */
    public int port() {
        return port;
    }

    @Override
    public void close() {
        stopServer();
        anonymous.close();
        if (database != null) {
            Waiting.await(database.close());
            Waiting.await(databaseVertx.close());
            database = null;
            databaseVertx = null;
            directory.close();
            shared.leave();
        }
        if (crash.get() != null) {
            throw new AssertionError("expected no crash", crash.get());
        }
    }

    /** An account and its client. */
    public record SignedIn(ApiClient api, String userId, String platformId, String projectId) {
        /** Client of the platform that authenticates with an API key. */
        public ApiClient withApiKey() {
            return api.with(api.post("/v1/api-keys", Json.object().put("displayName", "robot"))
                    .text("/value"));
        }

        /** The same account in a new team project, which others can join. */
        public SignedIn inTeam(String displayName) {
            var project = api.post("/v1/projects", Json.object().put("displayName", displayName));
            return new SignedIn(api, userId, platformId, project.text("/id"));
        }
    }

    private Config config(Map<String, String> wanted) {
        var environment = new HashMap<String, String>();
        environment.put("AP_HOST", "127.0.0.1");
        environment.put("AP_PORT", "0");
        environment.put("AP_ENVIRONMENT", "test");
        environment.put("AP_API_RATE_LIMIT_AUTHN_ENABLED", "false");
        environment.put("AP_PIECES_SYNC_MODE", "NONE");
        // More than one on any machine: events of a run arrive on any event loop.
        environment.put("AP_EVENT_LOOPS", "2");
        environment.put("AP_DATA_DIR", directory.path().toString());
        environment.put("AP_JWT_SECRET", JWT_SECRET);
        environment.put("AP_ENCRYPTION_KEY", ENCRYPTION_KEY);
        environment.putAll(wanted);
        return Config.load(environment, Path.of("there-is-no-such-file"));
    }
}
