package io.millrace.integration.git;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Output to a remote, written only while the fence of its attempt is held. */
final class FencedStream extends FilterOutputStream {
    private final Attempt attempt;

    FencedStream(OutputStream stream, Attempt attempt) {
        super(stream);
        this.attempt = attempt;
    }

    @Override
    public void write(int octet) throws IOException {
        attempt.requireFence();
        out.write(octet);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        attempt.requireFence();
        out.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
        attempt.requireFence();
        out.flush();
    }
}
