package io.millrace.base.http.server;

import static io.millrace.support.Waiting.await;

import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.metrics.MeterSet;
import io.millrace.support.RawHttp;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One HTTP verticle with the routes of a test. */
final class VerticleBench implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private final int port;

    VerticleBench(Map<String, String> settings, RouteGroup routes) {
        var environment = new HashMap<>(Map.of("AP_HOST", "127.0.0.1", "AP_PORT", "0"));
        environment.putAll(settings);
        var config = Config.load(environment, Path.of("there-is-no-such-file"));
        var verticle = new HttpVerticle(
                config,
                new Bus(vertx),
                List.of(routes),
                SharedLimits.of(new LiveConfig(config), new MeterSet(), InstantSource.system()),
                Future::succeededFuture);
        await(vertx.deployVerticle(verticle));
        port = verticle.port();
    }

    RawHttp connect() {
        return RawHttp.connect(port);
    }

    /** Connection with a minimal receive buffer. */
    RawHttp reluctant() {
        return RawHttp.reluctant(port, PATIENCE);
    }

    /** Upgrades a connection to a web socket. */
    static RawHttp upgraded(RawHttp connection, String path) {
        var request = """
                GET /api%s HTTP/1.1
                Host: h
                Connection: Upgrade
                Upgrade: websocket
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

                """.formatted(path);
        var status = connection.send(request).answer(false).status();
        if (status != 101) {
            throw new AssertionError("expected the upgrade of " + path + ", found status " + status);
        }
        return connection;
    }

    /** Status of a GET on a new connection; fails if the server closes that connection without an answer. */
    int status(String path) {
        try (var connection = connect()) {
            return connection
                    .send("GET /api" + path + " HTTP/1.1\nHost: h\n\n")
                    .answer()
                    .status();
        }
    }

    /** Returns false if the server closes the connection without an answer. */
    boolean isAnswered(String path) {
        try {
            return status(path) == 200;
        } catch (UncheckedIOException closed) {
            return false;
        }
    }

    @Override
    public void close() {
        await(vertx.close());
    }
}
