package io.millrace.piece.npm;

import io.millrace.base.core.memory.CountedStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * Decompressed stream of an archive, limited in size: the archive library buffers long names and skips unused entries,
 * either of which may expand to gigabytes.
 */
final class InflatedArchive extends CountedStream {
    private static final int CHUNK_BYTES = 8192;

    private long left;

    InflatedArchive(InputStream archive) throws IOException {
        super(new GZIPInputStream(archive, CHUNK_BYTES));
    }

    /** Sets the number of bytes that may be read from now on. */
    void allow(long bytes) {
        left = bytes;
    }

    @Override
    public long skip(long bytes) throws IOException {
        return super.skip(Math.min(bytes, CHUNK_BYTES));
    }

    @Override
    protected void count(long read) throws IOException {
        left -= read;
        if (left < 0) {
            throw new IOException("its unpacked content is too large");
        }
    }
}
