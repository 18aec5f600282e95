package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervises a PostgreSQL after its start: when it ends without a stop (killed, out of memory, disk full) it is started again
 * at the same address, as often as necessary. The pool reconnects by itself; until then the database is unavailable like any
 * other that cannot be reached. Its thread waits for that end from the beginning: on a host that is short of threads, one
 * that is created only then may fail without a retry.
 */
final class PostgresKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresKeeper.class);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    /** Message of PostgreSQL when it cannot bind its TCP port. */
    private static final String PORT_TAKEN = "could not create any TCP/IP sockets";

    /** Option after which PostgreSQL listens on its Unix socket only, whose name contains the port. */
    private static final List<String> WITHOUT_TCP = List.of("-c", "listen_addresses=");

    private final PostgresAccount account;
    private final List<String> words;
    private final Path data;
    private final PostgresLog log;
    private final Duration startPatience;
    private final Duration stopPatience;
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final Thread thread;
    private volatile PostgresProcess process;

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
        this.thread = Thread.ofPlatform().daemon().name("postgres-keeper").start(this::keep);
    }

    /** Stops PostgreSQL permanently; false when it was stopped before. */
    boolean stop() throws InterruptedException {
        if (!isStopped.compareAndSet(false, true)) {
            return false;
        }
        process.stop(stopPatience);
        thread.join(stopPatience.toMillis());
        return true;
    }

    private void keep() {
        try {
            process.awaitEnd();
            while (!isStopped.get()) {
                LOG.error("PostgreSQL ended; restarting it: {}", log.recent());
                startAgain();
                process.awaitEnd();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The pool connects to the Unix socket, so that a port taken by another process meanwhile does not keep it away. */
    private void startAgain() throws InterruptedException {
        var pause = PAUSE;
        while (!isStopped.get() && !isStarted(log.recent().contains(PORT_TAKEN))) {
            LockSupport.parkNanos(pause.toNanos());
            var longer = pause.multipliedBy(2);
            pause = longer.compareTo(PAUSE_MAX) < 0 ? longer : PAUSE_MAX;
        }
    }

    /** Any failure leads to another attempt: without this thread the database would stay away until the server ends. */
    private boolean isStarted(boolean isPortTaken) throws InterruptedException {
        try {
            new StalePostmaster(data).clearAgain();
            log.startAnew();
            var next = PostgresProcess.launch(account, isPortTaken ? withoutTcp() : words, log);
            process = next;
            // A concurrent stop has ended the former process only.
            if (!isStopped.get() && next.isReadyWithin(startPatience)) {
                LOG.info("PostgreSQL is running again{}", isPortTaken ? ", without its TCP port: it is in use" : "");
                return true;
            }
            next.stop(stopPatience);
            LOG.warn("cannot restart PostgreSQL, retrying: {}", log.recent());
        } catch (IOException | RuntimeException | OutOfMemoryError failure) {
            LOG.warn("cannot restart PostgreSQL, retrying", failure);
        }
        return false;
    }

    private List<String> withoutTcp() {
        return Stream.concat(words.stream(), WITHOUT_TCP.stream()).toList();
    }
}
