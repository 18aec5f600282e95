package io.millrace.sandbox.code.process;

import io.millrace.base.core.memory.PackedLibrary;
import io.millrace.sandbox.code.CodeSettings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unpacks the JavaScript engine on a background thread after the server has begun to listen: a new installation would otherwise do
 * this at its first call of code, which takes seconds. Optional: after a failure, the start of the first worker tries again.
 */
public final class EngineUnpacking {
    private static final Logger LOG = LoggerFactory.getLogger(EngineUnpacking.class);

    private final Path directory;
    private final Unpacker unpacker;
    private final Promise<Void> ended = Promise.promise();
    private Thread thread;
    private boolean closed;

    /** Unpacks the engine; empty if there is no archive. */
    @FunctionalInterface
    interface Unpacker {
        Optional<Path> unpack(Path directory) throws IOException;
    }

    EngineUnpacking(Path directory, Unpacker unpacker) {
        this.directory = directory;
        this.unpacker = unpacker;
    }

    public static EngineUnpacking of(CodeSettings settings) {
        return new EngineUnpacking(
                settings.home(), directory -> PackedLibrary.unpackAhead(WorkerCommand.ENGINE, directory));
    }

    /** Begins once and returns at once. */
    public synchronized void begin() {
        if (thread != null || closed) {
            return;
        }
        var begun = Thread.ofPlatform().daemon().name("code-engine").unstarted(this::unpack);
        try {
            begun.start();
            thread = begun;
        } catch (OutOfMemoryError noThread) {
            LOG.warn("no thread to unpack the JavaScript engine: the first call of code unpacks it");
        }
    }

    /** Interrupts the thread; completes when it has ended and its incomplete file is deleted. */
    public synchronized Future<Void> close() {
        closed = true;
        if (thread == null) {
            ended.tryComplete();
        } else {
            thread.interrupt();
        }
        return ended.future();
    }

    private void unpack() {
        var began = System.nanoTime();
        try {
            unpacker.unpack(directory)
                    .ifPresent(file -> LOG.info(
                            "JavaScript engine: {} is ready after {} ms",
                            file.getFileName(),
                            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)));
        } catch (InterruptedIOException stopping) {
            LOG.debug("JavaScript engine: not unpacked, the server stops", stopping);
        } catch (IOException | RuntimeException failure) {
            LOG.warn(
                    "JavaScript engine: cannot be unpacked to {}: {}; make the directory writable with 100 MB of free"
                            + " space; the first call of code tries again",
                    directory,
                    failure.toString());
        } finally {
            ended.tryComplete();
        }
    }
}
