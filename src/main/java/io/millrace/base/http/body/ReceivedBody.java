package io.millrace.base.http.body;

import io.vertx.core.buffer.Buffer;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/**
 * A whole body: in memory, or on disk when it is large. Filled on an event loop, and written and read back on a worker
 * while the event loop waits; closed when its request is answered.
 */
public final class ReceivedBody {
    static final int BATCH_BYTES = 256 * 1024;

    private final BodySpool spool;
    private final long memoryBytesMax;
    private final BodyBytes memory;
    private FileChannel file;
    private byte[] tail;
    private long diskBytes;
    private boolean closed;

    ReceivedBody(BodySpool spool, long memoryBytesMax, long expectedBytes) {
        this.spool = spool;
        this.memoryBytesMax = memoryBytesMax;
        this.memory = new BodyBytes(expectedBytes);
    }

    /** Returns true if it is read by {@link #open} instead of {@link #take}. */
    public boolean isOnDisk() {
        return diskBytes > 0;
    }

    void append(Buffer piece) {
        memory.append(piece);
    }

    /** Reserves bytes on disk, which holds the body from here on. */
    synchronized void announce(long bytes) {
        if (!closed) {
            spool.take(bytes);
            diskBytes += bytes;
        }
    }

    /** Returns true if the bytes in memory are to be written. */
    boolean isFull() {
        return memory.length() > (isOnDisk() ? BATCH_BYTES : memoryBytesMax);
    }

    long memoryBytesMax() {
        return memoryBytesMax;
    }

    /** Writes the bytes in memory. Blocks. */
    synchronized Void flush() throws IOException {
        if (closed) {
            throw new IOException("the caller disconnected");
        }
        if (file == null) {
            file = spool.open();
        }
        for (var bytes = ByteBuffer.wrap(memory.take()); bytes.hasRemaining(); ) {
            var _ = file.write(bytes);
        }
        return null;
    }

    /** All bytes of a body that is in memory; removes them from this object. */
    public byte[] take() {
        return memory.take();
    }

    /** Bytes of a body on disk. Blocks. */
    public synchronized long length() throws IOException {
        return (file == null ? 0 : file.size()) + (tail == null ? memory.length() : tail.length);
    }

    /** Reads a body on disk from its beginning. Blocks. */
    public synchronized InputStream open() throws IOException {
        if (tail == null) {
            tail = memory.take();
        }
        var rest = new ByteArrayInputStream(tail);
        return file == null ? rest : new SequenceInputStream(new Begin(file.position(0)), rest);
    }

    /** The written bytes; stays open, because they may be read once more. */
    private static final class Begin extends BufferedInputStream {
        Begin(FileChannel file) {
            super(Channels.newInputStream(file), BATCH_BYTES);
        }

        @Override
        public void close() {
            // The file is closed with the body.
        }
    }

    synchronized void close() {
        closed = true;
        spool.give(diskBytes);
        diskBytes = 0;
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException alreadyGone) {
            throw new IllegalStateException("cannot close an unnamed file", alreadyGone);
        }
    }
}
