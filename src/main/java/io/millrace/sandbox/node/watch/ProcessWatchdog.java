package io.millrace.sandbox.node.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills the processes of this server when the server dies, for any reason: a shell that holds the read end of a pipe whose write
 * end only this process has. A host ends by itself at the end of its input, but not while a piece keeps it busy.
 */
public final class ProcessWatchdog {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessWatchdog.class);

    private static final String SCRIPT = """
            trap '' HUP INT TERM
            pids=' '
            while read -r word pid; do
              case $word in
                watch) pids="$pids$pid " ;;
                forget)
                  case $pids in
                    *" $pid "*) pids="${pids%%" $pid "*} ${pids#*" $pid "}" ;;
                  esac ;;
              esac
            done
            for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
            """;

    private final Set<Long> watched = new LinkedHashSet<>();
    private Process shell;
    private boolean closed;

    private ProcessWatchdog(Process shell) {
        this.shell = shell;
    }

    public static ProcessWatchdog start() throws IOException {
        return new ProcessWatchdog(begun());
    }

    private static Process begun() throws IOException {
        var builder = new ProcessBuilder("sh", "-c", SCRIPT, "millrace-watchdog")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        return builder.start();
    }

    public synchronized void watch(long pid) {
        watched.add(pid);
        tell("watch", pid);
    }

    /** Removes a process that has ended: its number may be reused. */
    public synchronized void forget(long pid) {
        watched.remove(pid);
        tell("forget", pid);
    }

    /** Sends a word to the shell. A shell that was killed is replaced at the next word. */
    private void tell(String word, long pid) {
        if (closed) {
            return;
        }
        try {
            write(word, pid);
        } catch (IOException ended) {
            LOG.warn("the watchdog of piece processes ended; restarting it: {}", ended.getMessage());
            startAgain();
        }
    }

    private void startAgain() {
        try {
            shell = begun();
            for (var pid : watched) {
                write("watch", pid);
            }
        } catch (IOException | OutOfMemoryError failure) {
            LOG.warn("cannot start the watchdog of piece processes, retrying: {}", failure.getMessage());
        }
    }

    private void write(String word, long pid) throws IOException {
        var pipe = shell.getOutputStream();
        pipe.write((word + " " + pid + "\n").getBytes(StandardCharsets.US_ASCII));
        pipe.flush();
    }

    /** Ends the watchdog, which kills the processes that it still watches. */
    public synchronized void close() {
        closed = true;
        try {
            shell.getOutputStream().close();
        } catch (IOException ended) {
            LOG.debug("the watchdog had ended before", ended);
        }
    }
}
