package io.millrace.integration.git;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What a remote sends, up to an allowance that its streams share. */
final class LimitedStream extends FilterInputStream {
    private final Allowance allowance;

    LimitedStream(InputStream stream, Allowance allowance) {
        super(stream);
        this.allowance = allowance;
    }

    @Override
    public int read() throws IOException {
        var next = super.read();
        allowance.spend(next < 0 ? 0 : 1);
        return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        var read = super.read(bytes, offset, length);
        allowance.spend(Math.max(0, read));
        return read;
    }
}
