package io.millrace.fault.poison;

import io.millrace.app.Server;
import io.millrace.app.ServerExtensions;
import io.millrace.base.config.Config;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Server process with the piece {@link Poison}. */
final class PoisonServer {
    private PoisonServer() {}

    /** Expects the antidote file, and the divisor of the periods of trials. */
    public static void main(String[] arguments) {
        var vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        var config = Config.load(System.getenv(), Path.of("there-is-no-such-file"));
        Server.start(
                        vertx,
                        config,
                        Optional.empty(),
                        Clock.systemUTC(),
                        ServerExtensions.of(List.of(new Poison(Path.of(arguments[0]))))
                                .withRecoveryHaste(Integer.parseInt(arguments[1])),
                        _ -> Runtime.getRuntime().halt(1))
                .onSuccess(PoisonServer::started)
                .onFailure(cause -> {
                    System.err.println("Millrace cannot start: " + cause);
                    Runtime.getRuntime().halt(1);
                });
    }

    private static void started(Server server) {
        System.out.println("Millrace is listening on " + server.publicUrl());
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() ->
                        server.stop().toCompletionStage().toCompletableFuture().join()));
    }
}
