package io.millrace.fault;

import io.millrace.Server;
import io.millrace.config.Config;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The server as a process whose clock runs sixty times as fast, so that what comes every minute comes every second; it
 * knows the piece {@link OutsideFeed}.
 */
final class HastyServer {
    private static final int HASTE = 60;

    private HastyServer() {}

    /** Expects the moment from which the clock runs, and the address of the feed. */
    public static void main(String[] arguments) {
        var begin = Instant.parse(arguments[0]);
        InstantSource clock =
                () -> begin.plus(Duration.between(begin, Instant.now()).multipliedBy(HASTE));
        var vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        var config = Config.load(System.getenv(), Path.of("there-is-no-such-file"));
        Server.start(
                        vertx,
                        config,
                        Optional.empty(),
                        clock,
                        List.of(new OutsideFeed(arguments[1])),
                        _ -> Runtime.getRuntime().halt(1))
                .onSuccess(server -> System.out.println("Millrace is listening on " + server.publicUrl()))
                .onFailure(cause -> {
                    System.err.println("Millrace cannot start: " + cause);
                    Runtime.getRuntime().halt(1);
                });
    }
}
