package io.millrace.sandbox.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the processes of this server when the server dies, however it dies: a shell that holds the read end of a pipe
 * whose write end only this process has. A host ends by itself at the end of its input, but not while a piece keeps it
 * busy.
 */
final class ProcessWatchdog {
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

    private final Process shell;

    private ProcessWatchdog(Process shell) {
        this.shell = shell;
    }

    static ProcessWatchdog start() throws IOException {
        var builder = new ProcessBuilder("sh", "-c", SCRIPT, "millrace-watchdog")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        return new ProcessWatchdog(builder.start());
    }

    void watch(long pid) {
        tell("watch", pid);
    }

    /** The process has ended; its number may soon be another's. */
    void forget(long pid) {
        tell("forget", pid);
    }

    private synchronized void tell(String word, long pid) {
        try {
            var pipe = shell.getOutputStream();
            pipe.write((word + " " + pid + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException ended) {
            LOG.warn("the watchdog of piece processes has ended: {}", ended.getMessage());
        }
    }

    /** Ends the watchdog, and with it whatever it still watches. */
    void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException ended) {
            LOG.debug("the watchdog had ended before", ended);
        }
    }
}
