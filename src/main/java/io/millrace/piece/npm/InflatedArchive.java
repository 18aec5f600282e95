package io.millrace.piece.npm;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * An archive while it is unpacked, read no further than was allowed: the library that reads it takes long names into memory
 * and skips what nobody wants, and a few bytes may stand for gigabytes of both.
 */
final class InflatedArchive extends FilterInputStream {
    private static final int CHUNK_BYTES = 8192;

    private long left;

    InflatedArchive(InputStream archive) throws IOException {
        super(new GZIPInputStream(archive, CHUNK_BYTES));
    }

    /** From here on so many bytes may be read. */
    void allow(long bytes) {
        left = bytes;
    }

    @Override
    public int read() throws IOException {
        var next = super.read();
        count(next < 0 ? 0 : 1);
        return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        var read = super.read(bytes, offset, length);
        count(Math.max(0, read));
        return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
        var skipped = super.skip(Math.min(bytes, CHUNK_BYTES));
        count(skipped);
        return skipped;
    }

    private void count(long read) throws IOException {
        left -= read;
        if (left < 0) {
            throw new IOException("it unpacks to more than is taken");
        }
    }
}
