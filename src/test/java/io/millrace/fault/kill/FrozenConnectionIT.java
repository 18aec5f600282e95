package io.millrace.fault.kill;

import static io.millrace.support.FlowScript.trigger;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.millrace.support.piece.PiecePackage;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two nodes on one database: one is frozen between opening a connection and sending the first byte. It sends nothing
 * after the other node has taken over its work. {@code KeptConnectionTest} covers requests on reused connections.
 */
@Slow(Slow.Reason.FAULT)
final class FrozenConnectionIT {
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    /** Longer than a lease. */
    private static final Duration LEASE = Duration.ofSeconds(13);

    private static final String VERSION = "1.0.0";

    private final Vertx vertx = TestPostgres.vertx();
    private final DatabaseSettings settings = TestPostgres.freshDatabase();
    private Database database;

    @BeforeEach
    void open() {
        database = Database.open(vertx, settings);
    }

    @AfterEach
    void close() {
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }

    @ParameterizedTest
    @CsvSource({"HTTP_STEP, false", "NPM_ACTION, false", "NPM_ACTION, true", "NPM_TRIGGER, false", "NPM_TRIGGER, true"})
    void sendsNoFirstByte_whenItWasFrozenWhileItConnected(Kind kind, boolean withItsProcesses) throws IOException {
        try (var peer = FullListener.start();
                var first = DataDirectory.create();
                var second = DataDirectory.create();
                var frozen = start(first)) {
            // given
            var owner = PublishedFlow.create(
                    frozen.api(DEADLINE),
                    webhook().map("step_1", "{'a':1}").importOperation("Mill").path("request"));
            begin(kind, owner, peer.url("/once"));
            Waiting.until("the first node connects", DEADLINE, () -> peer.begun() == 1);
            freeze(frozen, withItsProcesses);
            var frozenNanos = System.nanoTime();
            execute("update node set lease_until = now() - interval '1 second'");
            try (var other = start(second)) {
                other.api(DEADLINE);
                Waiting.until("the other node connects", DEADLINE, () -> peer.begun() == 2);

                // when
                peer.open();
                Waiting.until("the run has ended", DEADLINE, () -> count("select count(*) from ended_run") == 1);
                var ended = text("select xmin::text || log::text from ended_run");
                Waiting.until(
                        "its lease has ended by its own clock, too",
                        DEADLINE,
                        () -> System.nanoTime() - frozenNanos > LEASE.toNanos());
                frozen.thaw();
                Waiting.until("no connection is being made", DEADLINE, () -> peer.begun() == 0);
                var later = publish(owner, webhook().http("step_1", "POST", peer.url("/later")));
                later.api().post("/v1/webhooks/" + later.flowId(), Json.object());
                Waiting.until(
                        "the next call has arrived",
                        DEADLINE,
                        () -> peer.paths().contains("/later"));

                // then
                assertThat(peer.paths()).containsExactly("/once", "/later");
                assertThat(text("select xmin::text || log::text from ended_run order by id limit 1"))
                        .isEqualTo(ended);
            }
        }
    }

    /** Kinds of outgoing requests. */
    enum Kind {
        HTTP_STEP,
        NPM_ACTION,
        NPM_TRIGGER
    }

    private void begin(Kind kind, PublishedFlow owner, String url) {
        var flow = publish(
                owner,
                switch (kind) {
                    case HTTP_STEP -> webhook().http("step_1", "POST", url);
                    case NPM_ACTION -> action(owner, "return (await fetch('" + url + "', {method: 'POST'})).status");
                    case NPM_TRIGGER ->
                        trigger(upload(owner, polling(url)), VERSION, "poll", "{}")
                                .map("step_1", "{'a':1}");
                });
        if (kind == Kind.NPM_TRIGGER) {
            execute("update trigger_source set next_due = now() where type = 'POLLING'");
        } else {
            flow.api().post("/v1/webhooks/" + flow.flowId(), Json.object());
        }
    }

    private static FlowScript action(PublishedFlow owner, String code) {
        var name = upload(owner, PiecePackage.probe("@acme/piece-caller", VERSION));
        return webhook()
                .piece("step_1", name, VERSION, "evaluate", Json.object().put("code", code));
    }

    /** Piece with a trigger that makes an outgoing call when it is polled. */
    private static PiecePackage polling(String url) {
        var piece = PiecePackage.probe("@acme/piece-poller", VERSION);
        var index = new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8);
        return piece.with(
                "package/src/index.js",
                index.replace("'*/2 * * * *'", "'0 0 1 1 *'")
                        .replace(
                                "run: async (context) => {\n      const last",
                                "run: async (context) => {\n await fetch('" + url
                                        + "', {method: 'POST'});\n      const last"));
    }

    /** Returns the name of the piece. */
    private static String upload(PublishedFlow owner, PiecePackage piece) {
        var fields = Map.of(
                "packageType",
                "ARCHIVE",
                "scope",
                "PLATFORM",
                "pieceName",
                piece.name(),
                "pieceVersion",
                piece.version());
        var uploaded = owner.api().postForm("/v1/pieces", fields, "pieceArchive", piece.tgz());
        assertThat(uploaded.status()).as(uploaded.toString()).isEqualTo(201);
        return piece.name();
    }

    private static PublishedFlow publish(PublishedFlow owner, FlowScript script) {
        return owner.beside(script.importOperation("Mill").path("request"));
    }

    private static void freeze(ServerProcess server, boolean withItsProcesses) {
        if (withItsProcesses) {
            server.freezeWithItsProcesses();
        } else {
            server.freeze();
        }
    }

    private ServerProcess start(DataDirectory directory) {
        var environment = new HashMap<>(Map.of(
                "AP_LOG_LEVEL", "warn",
                "AP_SSRF_ALLOW_LIST", "127.0.0.1",
                "AP_JWT_SECRET", "a secret that both nodes know",
                "AP_ENCRYPTION_KEY", "0123456789abcdef0123456789abcdef"));
        environment.put("AP_POSTGRES_HOST", "127.0.0.1");
        environment.put("AP_POSTGRES_PORT", Integer.toString(settings.port()));
        environment.put("AP_POSTGRES_DATABASE", settings.database());
        environment.put("AP_POSTGRES_USERNAME", settings.user());
        environment.put("AP_POSTGRES_PASSWORD", settings.password());
        return ServerProcess.ofClasses(directory.path(), environment);
    }

    private void execute(String sql) {
        Waiting.await(database.query(sql));
    }

    private long count(String sql) {
        return Waiting.await(database.query(sql)).iterator().next().getLong(0);
    }

    private String text(String sql) {
        return Waiting.await(database.query(sql)).iterator().next().getString(0);
    }
}
