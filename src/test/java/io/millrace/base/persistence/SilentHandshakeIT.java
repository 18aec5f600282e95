package io.millrace.base.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Database that accepts TLS connections and never answers the handshake: callers wait for a connection when their pool
 * is closed. Vert.x 5.0.12 then raised a NullPointerException ("lease" is null), and the close did not end.
 */
class SilentHandshakeIT {
    /** Longer than the deadline of the probe, as with the default settings. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(600);

    private static final Duration PROBE_DEADLINE = Duration.ofMillis(200);

    /** The TLS request of PostgreSQL: length 8, code 80877103. */
    private static final Buffer TLS_REQUEST = Buffer.buffer(new byte[] {0, 0, 0, 8, 0x04, (byte) 0xd2, 0x16, 0x2f});

    private final Vertx vertx = Vertx.vertx();
    private final List<Throwable> defects = new CopyOnWriteArrayList<>();
    private final AtomicInteger handshakes = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private NetServer server;
    private DatabaseSettings settings;

    @BeforeEach
    void listen() {
        vertx.exceptionHandler(defects::add);
        server =
                Waiting.await(vertx.createNetServer().connectHandler(this::join).listen(0, "127.0.0.1"));
        var usual = DatabaseSettings.parse(
                "postgres://user:password@127.0.0.1:" + server.actualPort() + "/any?sslmode=require");
        settings = usual.withPool(1, usual.pool().idleTimeout(), CONNECT_TIMEOUT);
    }

    private void join(NetSocket socket) {
        connections.incrementAndGet();
        open.incrementAndGet();
        socket.closeHandler(_ -> open.decrementAndGet());
        socket.handler(bytes -> {
            if (bytes.equals(TLS_REQUEST)) {
                socket.write("S");
            } else {
                handshakes.incrementAndGet();
            }
        });
    }

    @AfterEach
    void stop() {
        Waiting.await(vertx.close());
    }

    @Test
    void failsAProbe_andClosesItsConnections() {
        var failure = Waiting.await(DatabaseProbe.send(vertx, settings, PROBE_DEADLINE)
                .map("answered")
                .otherwise("failed"));

        assertThat(failure).isEqualTo("failed");
        assertThat(connections).hasPositiveValue();
        Waiting.until("the connections of the probe are closed", () -> open.get() == 0);
        assertThat(defects).isEmpty();
    }

    @Test
    void endsItsClose_whileACallerWaitsForAConnection() {
        var database = Database.open(vertx, settings);
        var waiting = database.query("select 1");
        var behind = database.query("select 2");
        Waiting.until("the handshake has begun", () -> handshakes.get() > 0);

        Waiting.await(database.close());

        assertThat(Waiting.await(waiting.map("answered").otherwise("failed"))).isEqualTo("failed");
        assertThat(Waiting.await(behind.map("answered").otherwise("failed"))).isEqualTo("failed");
        Waiting.until("the connections of the pool are closed", () -> open.get() == 0);
    }
}
