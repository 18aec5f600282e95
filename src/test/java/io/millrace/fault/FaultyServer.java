package io.millrace.fault;

import io.millrace.app.Server;
import io.millrace.app.ServerExtensions;
import io.millrace.base.config.Config;
import io.millrace.piece.Piece;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Server process that breaks its promises as requested by {@link Faults}: the negative control of storms. */
final class FaultyServer {
    private FaultyServer() {}

    public static void main(String[] arguments) {
        start(InstantSource.system(), List.of());
    }

    /** Starts a server with the faults requested for this process; a failed start or a crash ends the process. */
    static void start(InstantSource clock, List<Piece> pieces) {
        var vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        var config = Config.load(System.getenv(), Path.of("there-is-no-such-file"));
        var faults = Faults.asked();
        Server.start(
                        vertx,
                        config,
                        Optional.empty(),
                        clock,
                        ServerExtensions.of(pieces, faults.postgresOptions(), faults.writes(vertx)),
                        _ -> Runtime.getRuntime().halt(1))
                .onSuccess(server -> System.out.println("Millrace is listening on " + server.publicUrl()))
                .onFailure(cause -> {
                    System.err.println("Millrace cannot start: " + cause);
                    Runtime.getRuntime().halt(1);
                });
    }
}
