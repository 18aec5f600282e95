package io.millrace.git;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/** What a remote sends, up to a limit that its streams share. */
final class LimitedStream extends FilterInputStream {
    private final AtomicLong bytesLeft;

    LimitedStream(InputStream stream, AtomicLong bytesLeft) {
        super(stream);
        this.bytesLeft = bytesLeft;
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

    private void count(int read) throws IOException {
        if (bytesLeft.addAndGet(-read) < 0) {
            throw new IOException("the remote sends more than is taken");
        }
    }
}
