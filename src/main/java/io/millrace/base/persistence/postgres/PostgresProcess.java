package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running PostgreSQL under a watchdog: a shell that holds the read end of a pipe whose write end only this process
 * has. The kernel closes the pipe at any end of this process, and the watchdog ends PostgreSQL. Signals are sent as
 * words through the same pipe.
 */
final class PostgresProcess {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresProcess.class);
    private static final String READY = "database system is ready to accept connections";

    /**
     * A separate session keeps the terminal's Ctrl-C from PostgreSQL: it must outlive the server's last writes. The shell
     * itself ignores SIGHUP, SIGINT and SIGTERM for the same reason. {@code read} is a builtin: no further process waits. A
     * shell that cannot fork the watchdog ends, and PostgreSQL with it: no other process would end it.
     */
    private static final String WATCHDOG = """
            trap '' HUP INT TERM
            exec 3<&0
            session=$(command -v setsid)
            $session "$@" </dev/null 3<&- &
            server=$!
            trap 'kill -KILL "$server"' EXIT
            (
              while read -r signal <&3; do kill "-$signal" "$server"; done
              kill -INT "$server"
            ) &
            watchdog=$!
            wait "$server"
            status=$?
            trap - EXIT
            kill -KILL "$watchdog" 2>/dev/null
            exit "$status"
            """;

    private final Process shell;
    private final PostgresLog log;
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

    private PostgresProcess(Process shell, PostgresLog log) {
        this.shell = shell;
        this.log = log;
    }

    /** Starts PostgreSQL with these words as this account; returns before it accepts connections. */
    static PostgresProcess launch(PostgresAccount account, List<String> words, PostgresLog log) throws IOException {
        var whole = new ArrayList<>(List.of("sh", "-c", WATCHDOG, "millrace-watchdog"));
        whole.addAll(words);
        var shell = Command.prepare(account.command(whole))
                .redirectErrorStream(true)
                .start();
        var process = new PostgresProcess(shell, log);
        try {
            Thread.ofPlatform().daemon().name("postgres-log").start(process::readOutput);
        } catch (OutOfMemoryError noThread) {
            // The end of its pipe ends PostgreSQL, too.
            shell.destroyForcibly();
            throw noThread;
        }
        return process;
    }

    /** False when the server ended instead or the deadline passed. */
    boolean isReadyWithin(Duration deadline) throws InterruptedException {
        try {
            return ready.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            log.append("not ready after " + deadline.toSeconds() + " s");
            return false;
        } catch (ExecutionException defect) {
            throw new IllegalStateException("reading the output of PostgreSQL failed", defect);
        }
    }

    /** Stops the server: a fast shutdown, then an immediate one, then by force. */
    void stop(Duration patience) throws InterruptedException {
        for (var signal : List.of("INT", "QUIT", "KILL")) {
            if (!shell.isAlive()) {
                return;
            }
            send(signal);
            if (shell.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            LOG.warn("PostgreSQL did not end within {} s of {}", patience.toSeconds(), signal);
        }
        shell.destroyForcibly();
    }

    /** Waits until the server has ended. */
    void awaitEnd() throws InterruptedException {
        shell.waitFor();
    }

    private void send(String signal) {
        try {
            OutputStream pipe = shell.getOutputStream();
            pipe.write((signal + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException ended) {
            LOG.debug("the watchdog has ended before {}", signal, ended);
        }
    }

    private void readOutput() {
        try (var lines = shell.inputReader(StandardCharsets.UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                log.append(line);
                if (line.endsWith(READY)) {
                    ready.complete(true);
                }
            }
        } catch (IOException broken) {
            LOG.debug("the output of PostgreSQL ended", broken);
        } finally {
            ready.complete(false);
        }
    }
}
