package io.millrace;

import io.millrace.config.BadSetting;
import io.millrace.config.Config;
import io.millrace.persistence.PostgresStartException;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process: reads the settings, starts the {@link Server}, says that it listens, and stops it on a signal. A part
 * that dies takes the process with it (seed: there is no process manager).
 */
public final class Millrace {
    private static final Logger LOG = LoggerFactory.getLogger(Millrace.class);

    /** Settings file, beside the working directory; the environment wins over it. */
    private static final Path SETTINGS = Path.of("conf", "millrace.properties");

    private static final int EXIT_CRASH = 70;
    private static final int EXIT_BAD_SETTING = 78;
    private static final long STOP_SECONDS_MAX = 30;

    private Millrace() {}

    public static void main(String[] arguments) {
        try {
            run(Config.load(System.getenv(), SETTINGS));
        } catch (BadSetting | PostgresStartException refused) {
            System.err.println("Millrace cannot start: " + refused.getMessage());
            System.exit(EXIT_BAD_SETTING);
        } catch (RuntimeException defect) {
            LOG.error("Millrace cannot start", defect);
            LogOutput.close();
            System.err.println("Millrace cannot start: " + defect.getMessage());
            System.exit(EXIT_CRASH);
        }
    }

    private static void run(Config config) {
        LogOutput.level(config.logging().level());
        config.unknownNames().forEach(name -> LOG.warn("{} is no setting of Millrace and is ignored", name));
        HeapTidy.start();
        var vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        var stopping = new AtomicBoolean();
        var server =
                Server.start(vertx, config, Optional.empty(), InstantSource.system(), cause -> crash(cause, stopping));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server.result(), stopping), "stop"));
        server.onSuccess(started ->
                        System.out.println("Millrace " + Server.VERSION + " is listening on " + started.publicUrl()))
                .onFailure(cause -> crash(cause, stopping));
    }

    /**
     * Ends the process at once; what was accepted is durable, and the next start carries it on. Nothing is tidied up: a
     * part that is needed for that has just died, and the database ends by itself when this process does.
     */
    private static void crash(Throwable cause, AtomicBoolean stopping) {
        if (stopping.get()) {
            return;
        }
        var refused = cause instanceof BadSetting || cause instanceof PostgresStartException;
        if (!refused) {
            LOG.error("Millrace crashed", cause);
        }
        LogOutput.close();
        System.err.println("Millrace ends: " + cause.getMessage());
        Runtime.getRuntime().halt(refused ? EXIT_BAD_SETTING : EXIT_CRASH);
    }

    private static void stop(Server server, AtomicBoolean stopping) {
        stopping.set(true);
        if (server != null) {
            stop(server);
        }
        LogOutput.close();
    }

    private static void stop(Server server) {
        var done = new CountDownLatch(1);
        // Vert.x itself ends with the process: a future behind its close would wait for a loop that has ended.
        server.stop().onComplete(_ -> done.countDown());
        try {
            if (!done.await(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                System.err.println("Millrace did not stop in " + STOP_SECONDS_MAX + " seconds and is ended");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
