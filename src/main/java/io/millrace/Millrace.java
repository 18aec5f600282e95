package io.millrace;

import io.millrace.app.AotCache;
import io.millrace.app.AotTrainingRun;
import io.millrace.app.EventLoopWatch;
import io.millrace.app.IdleGcTrigger;
import io.millrace.app.LogOutput;
import io.millrace.app.ProcessLimit;
import io.millrace.app.Server;
import io.millrace.app.ServerVertx;
import io.millrace.app.SettingChecks;
import io.millrace.app.SettingsReload;
import io.millrace.app.cli.CommandLine;
import io.millrace.app.cli.TypedSecret;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.config.ForeignSetting;
import io.millrace.base.config.LoadedSettings;
import io.millrace.base.persistence.postgres.PostgresStartException;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main class: reads the settings, starts the {@link Server}, announces its address, and stops it on a signal. The death of an
 * essential part ends the process (seed: there is no process manager).
 */
public final class Millrace {
    private static final Logger LOG = LoggerFactory.getLogger(Millrace.class);

    /** Settings file, relative to the working directory; environment variables override it. */
    private static final Path SETTINGS = Path.of("conf", "millrace.properties");

    /** Option that creates the {@link AotCache} and exits: for the build of container images. */
    private static final String MAKE_START_CACHE = "--make-start-cache";

    private static final int EXIT_CRASH = 70;
    private static final int EXIT_BAD_SETTING = 78;

    /** For the virtual machine itself, after the server has stopped or not. */
    private static final long END_MS = 500;

    private Millrace() {}

    public static void main(String[] arguments) {
        var words = List.of(arguments);
        var isTraining = AotTrainingRun.isMeant(words, System.getenv());
        var startsServer = isTraining || CommandLine.startsServer(words);
        if (!startsServer && !words.equals(List.of(MAKE_START_CACHE))) {
            perform(words);
        }
        try {
            var settings = readSettings();
            SettingChecks.check(settings.config());
            if (startsServer) {
                var running = new AtomicReference<Server>();
                SettingsReload.onHangUp(settings, Millrace::readSettings, running::get);
                run(
                        settings.config(),
                        isTraining
                                ? (vertx, server) -> AotTrainingRun.begin(vertx, server, words)
                                : (_, server) -> running.set(server));
            } else {
                makeStartCache(settings.config());
            }
        } catch (BadSetting | PostgresStartException refused) {
            System.err.println("Millrace cannot start: " + refused.getMessage());
            System.exit(EXIT_BAD_SETTING);
        } catch (RuntimeException | Error defect) {
            crash(defect, new AtomicBoolean());
        }
    }

    /** Executes a command and exits; only the command's own output is printed. */
    private static void perform(List<String> words) {
        LogOutput.level("off");
        var terminal = new Terminal(
                TypedSecret::read, System.out, System.err, System.getenv(), SETTINGS, InstantSource.system());
        var status = new CommandLine().perform(words, terminal);
        System.out.flush();
        Runtime.getRuntime().halt(status.number());
    }

    private static LoadedSettings readSettings() {
        return LoadedSettings.read(System.getenv(), SETTINGS);
    }

    private static void run(Config config, BiConsumer<Vertx, Server> whenServing) {
        ServerVertx.open(config)
                .onSuccess(vertx -> run(config, vertx, whenServing))
                .onFailure(cause -> crash(cause, new AtomicBoolean()));
    }

    /** Runs the server on these event loops, and ends the process when one of them ends. */
    static void run(Config config, Vertx vertx) {
        run(config, vertx, (_, _) -> {});
    }

    /** @param whenServing receives the server as soon as it serves */
    private static void run(Config config, Vertx vertx, BiConsumer<Vertx, Server> whenServing) {
        LogOutput.level(config.observation().logging().level());
        LogOutput.format(config.observation().logging().format());
        config.process().unknownNames().forEach(name -> LOG.warn(ForeignSetting.remark(name)));
        LOG.info(
                "Millrace {} starts as process {}",
                Server.VERSION,
                ProcessHandle.current().pid());
        IdleGcTrigger.start();
        var stopping = new AtomicBoolean();
        EventLoopWatch.start(vertx, cause -> crash(cause, stopping));
        var startCache = AotCache.of(config.storage().data().directory());
        var server =
                Server.start(vertx, config, Optional.empty(), InstantSource.system(), cause -> crash(cause, stopping));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            startCache.ifPresent(AotCache::close);
                            stop(server.result(), config, stopping);
                        },
                        "stop"));
        server.onSuccess(started -> {
                    whenServing.accept(vertx, started);
                    LOG.info("Millrace {} serves at {}", Server.VERSION, started.publicUrl());
                    announce(config, started);
                    startCache.ifPresent(AotCache::makeSoon);
                })
                .onFailure(cause -> crash(cause, stopping));
    }

    /** Omitted in a JSON log, where a plain line would be invalid. */
    private static void announce(Config config, Server started) {
        if (!config.observation().logging().isJson()) {
            var here = "http://" + shown(config.network().http().host()) + ":" + started.port();
            System.out.println("Millrace " + Server.VERSION + " is listening on " + here);
            if (!started.publicUrl().equals(here)) {
                System.out.println("Its address for callers is " + started.publicUrl());
            }
        }
    }

    /** A server that listens on all addresses is reached under this one by the person who reads the line. */
    private static String shown(String host) {
        return host.equals("0.0.0.0") || host.equals("::") ? "localhost" : host;
    }

    private static void makeStartCache(Config config) {
        var isMade = AotCache.of(config.storage().data().directory())
                .map(cache -> cache.make(ProcessBuilder.Redirect.INHERIT))
                .orElse(false);
        LogOutput.close();
        System.out.println(isMade ? "The start cache exists." : "The start cache was not written.");
        System.exit(isMade ? 0 : EXIT_CRASH);
    }

    /**
     * Ends the process at once; accepted work is durable, and the next start continues it. Performs no cleanup: an essential
     * part has just died, and the database ends with this process.
     */
    private static void crash(Throwable cause, AtomicBoolean stopping) {
        if (stopping.get()) {
            return;
        }
        // A temporary cause may be gone when the supervisor restarts the process.
        var refused = (cause instanceof BadSetting || cause instanceof PostgresStartException)
                && !ProcessLimit.isBehind(cause);
        try {
            if (!refused) {
                LOG.error("Millrace crashed", cause);
            }
            LogOutput.close();
            System.err.println("Millrace ends: " + ProcessLimit.explained(cause));
        } finally {
            // With exhausted memory, even logging can fail.
            Runtime.getRuntime().halt(refused ? EXIT_BAD_SETTING : EXIT_CRASH);
        }
    }

    private static void stop(Server server, Config config, AtomicBoolean stopping) {
        stopping.set(true);
        LOG.info("Millrace {} stops", Server.VERSION);
        if (server != null) {
            stop(
                    server,
                    config.process()
                                    .shutdown()
                                    .drain()
                                    .plus(config.process().shutdown().whole())
                                    .toMillis()
                            - END_MS);
        }
        LOG.info("Millrace {} has stopped", Server.VERSION);
        LogOutput.close();
    }

    /** Stops the server; work that has not stopped by the deadline ends with the process, and the next start continues it. */
    private static void stop(Server server, long deadlineMs) {
        var done = new CountDownLatch(1);
        // Vert.x ends with the process: a future after its close would wait for a stopped event loop.
        server.stop().onComplete(_ -> done.countDown());
        try {
            if (!done.await(deadlineMs, TimeUnit.MILLISECONDS)) {
                System.err.println("Millrace did not stop in " + deadlineMs + " ms and is terminated");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
