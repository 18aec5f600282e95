package io.millrace.base.http.body;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Disk space for large bodies until they are whole: a slow sender holds no memory meanwhile. Bounded; leaves no files,
 * because each is unlinked before its first byte. Thread-safe.
 */
public final class BodySpool {
    private final Path directory;
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    public BodySpool(Path directory, long bytesMax) {
        this.directory = directory;
        this.bytesMax = bytesMax;
    }

    /**
     * Reserves disk space.
     *
     * @throws ApiException TOO_MANY_REQUESTS when not enough is left
     */
    void take(long bytes) {
        if (used.addAndGet(bytes) > bytesMax) {
            used.addAndGet(-bytes);
            throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many large requests are in progress");
        }
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    /** Opens a file that is deleted when it is closed. Blocks. */
    FileChannel open() throws IOException {
        Files.createDirectories(directory);
        var file = Files.createTempFile(directory, "body", null);
        try {
            return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.delete(file);
        }
    }
}
