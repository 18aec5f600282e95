package io.millrace.sandbox.node.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Last bytes of the error output of a process. Only its engine writes there, mostly before it dies, and code that bypasses the
 * host's script. One thread writes while others read.
 */
final class StderrTail {
    private static final Logger LOG = LoggerFactory.getLogger(StderrTail.class);
    private static final int KEPT_CHARACTERS = 16 * 1024;

    /** Limit of bytes read, which no engine reaches; reading without a limit would cost this server as much as the process. */
    static final long BYTES_MAX = 16 << 20;

    private static final String OUT_OF_MEMORY = "heap out of memory";

    private final StringBuilder text = new StringBuilder();

    /** Reads until the end of the output; false if it exceeds the limit. */
    boolean read(InputStream output) {
        var left = BYTES_MAX;
        try (var in = output) {
            var chunk = new byte[4096];
            for (var length = in.read(chunk); length >= 0 && left >= 0; length = in.read(chunk)) {
                keep(new String(chunk, 0, length, StandardCharsets.UTF_8));
                left -= length;
            }
        } catch (IOException ended) {
            LOG.debug("the error output of a piece process broke off", ended);
        }
        return left >= 0;
    }

    private synchronized void keep(String more) {
        text.append(more);
        if (text.length() > KEPT_CHARACTERS) {
            text.delete(0, text.length() - KEPT_CHARACTERS);
        }
    }

    synchronized boolean isEmpty() {
        return text.isEmpty();
    }

    synchronized boolean tellOfExhaustedHeap() {
        return text.indexOf(OUT_OF_MEMORY) >= 0;
    }

    @Override
    public synchronized String toString() {
        return text.toString();
    }
}
