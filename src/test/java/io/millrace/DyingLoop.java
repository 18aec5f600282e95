package io.millrace;

import io.millrace.base.config.Config;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The server as a process, in which something dies once there is a file that says so. */
final class DyingLoop {
    /** What dies, and the name of the file in the data directory. */
    enum Death {
        /** The loop that accepts connections ends. */
        ACCEPTOR,
        /** A loop that serves them ends. */
        LOOP,
        /** Memory is exhausted on a loop. */
        MEMORY
    }

    private DyingLoop() {}

    public static void main(String[] arguments) {
        var vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        var config = Config.load(System.getenv(), Path.of("there-is-no-such-file"));
        Millrace.run(config, vertx);
        vertx.setPeriodic(50, _ -> {
            for (var death : Death.values()) {
                if (Files.exists(config.storage().data().directory().resolve(death.name()))) {
                    die(death, (VertxInternal) vertx);
                }
            }
        });
    }

    private static void die(Death death, VertxInternal vertx) {
        switch (death) {
            case ACCEPTOR -> {
                var _ = vertx.acceptorEventLoopGroup().shutdownGracefully(0, 0, TimeUnit.SECONDS);
            }
            case LOOP -> {
                var _ = vertx.nettyEventLoopGroup().next().shutdownGracefully(0, 0, TimeUnit.SECONDS);
            }
            case MEMORY ->
                throw new AssertionError("expected no memory, found " + new long[Integer.MAX_VALUE - 8].length);
        }
    }
}
