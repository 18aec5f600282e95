package io.millrace.integration.git;

import io.millrace.base.core.memory.CountedStream;
import java.io.IOException;
import java.io.InputStream;

/** Input stream of a remote, limited by an allowance that its streams share. */
final class LimitedStream extends CountedStream {
    private final ByteQuota allowance;

    LimitedStream(InputStream stream, ByteQuota allowance) {
        super(stream);
        this.allowance = allowance;
    }

    @Override
    protected void count(long bytes) throws IOException {
        allowance.spend(bytes);
    }
}
