package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a PostgreSQL running that has been started once: when it ends without having been stopped (killed, out of
 * memory, no room to write) it is started again at the same address, as often as it takes. The pool finds it there by
 * itself; until then the database is unavailable like any other that cannot be reached.
 */
final class PostgresKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresKeeper.class);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    private final PostgresAccount account;
    private final List<String> words;
    private final Path data;
    private final PostgresLog log;
    private final Duration startPatience;
    private final Duration stopPatience;
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private volatile PostgresProcess process;
    private volatile Thread restart;

    /**
     * @param process the running server
     * @param words the command that started it
     */
    PostgresKeeper(
            EmbeddedPostgres.Settings settings,
            PostgresAccount account,
            List<String> words,
            Path data,
            PostgresLog log,
            PostgresProcess process) {
        this.account = account;
        this.words = List.copyOf(words);
        this.data = data;
        this.log = log;
        this.startPatience = settings.startPatience();
        this.stopPatience = settings.stopPatience();
        this.process = process;
        process.onExit(this::ended);
    }

    /** Ends PostgreSQL for good; false when it was stopped before. */
    boolean stop() throws InterruptedException {
        if (!isStopped.compareAndSet(false, true)) {
            return false;
        }
        process.stop(stopPatience);
        var underWay = restart;
        if (underWay != null) {
            underWay.join(stopPatience.toMillis());
        }
        return true;
    }

    private void ended() {
        if (!isStopped.get()) {
            LOG.error("PostgreSQL has ended and is started again: {}", log.recent());
            restart = Thread.ofPlatform().daemon().name("postgres-restart").start(this::startAgain);
        }
    }

    private void startAgain() {
        var pause = PAUSE;
        while (!isStopped.get() && !isStarted()) {
            LockSupport.parkNanos(pause.toNanos());
            var longer = pause.multipliedBy(2);
            pause = longer.compareTo(PAUSE_MAX) < 0 ? longer : PAUSE_MAX;
        }
    }

    private boolean isStarted() {
        try {
            new StalePostmaster(data).clearAgain();
            log.startAnew();
            var next = PostgresProcess.launch(account, words, log);
            process = next;
            // A stop that came meanwhile has ended the former process only.
            if (!isStopped.get() && next.isReadyWithin(startPatience)) {
                LOG.info("PostgreSQL runs again");
                next.onExit(this::ended);
                return true;
            }
            next.stop(stopPatience);
            LOG.warn("PostgreSQL cannot be started again yet: {}", log.recent());
        } catch (IOException | PostgresStartException failure) {
            LOG.warn("PostgreSQL cannot be started again yet", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
