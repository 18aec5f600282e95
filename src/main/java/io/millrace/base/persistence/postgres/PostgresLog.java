package io.millrace.base.persistence.postgres;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log file of the embedded server: two files of bounded size, and its last lines for error messages. */
final class PostgresLog {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresLog.class);
    private static final long BYTES_MAX = 1 << 20;
    private static final int RECENT_MAX = 15;

    private final Path file;
    private final Deque<String> recent = new ArrayDeque<>();
    private BufferedWriter writer;
    private long bytes;

    PostgresLog(Path file) {
        this.file = file;
    }

    /** A log that cannot be written is reported once and never stops the server. */
    synchronized void append(String line) {
        if (recent.size() == RECENT_MAX) {
            recent.removeFirst();
        }
        recent.addLast(line);
        try {
            if (writer == null || bytes > BYTES_MAX) {
                open();
            }
            writer.write(line);
            writer.newLine();
            writer.flush();
            bytes += line.length() + 1L;
        } catch (IOException unwritable) {
            LOG.warn("cannot write {}: {}", file, unwritable.toString());
        }
    }

    synchronized String recent() {
        return String.join("\n", recent);
    }

    /** Clears the last lines: the next ones belong to another attempt. */
    synchronized void startAnew() {
        recent.clear();
    }

    /** Closes the file; a later line opens it again. */
    synchronized void close() throws IOException {
        if (writer != null) {
            writer.close();
            writer = null;
        }
    }

    private void open() throws IOException {
        close();
        if (Files.exists(file) && Files.size(file) > BYTES_MAX) {
            Files.move(
                    file,
                    file.resolveSibling(file.getFileName() + ".1"),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        }
        writer = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        bytes = Files.size(file);
    }
}
