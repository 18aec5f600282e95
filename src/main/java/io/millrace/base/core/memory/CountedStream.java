package io.millrace.base.core.memory;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that reports the number of bytes read to a subclass that enforces a limit. */
public abstract class CountedStream extends FilterInputStream {
    protected CountedStream(InputStream in) {
        super(in);
    }

    /** Counts bytes that were read or skipped; fails above the limit. */
    protected abstract void count(long bytes) throws IOException;

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
        var skipped = super.skip(bytes);
        count(skipped);
        return skipped;
    }
}
