package io.millrace.integration.git;

import java.io.IOException;

/** Bytes that a remote may still send: in the whole operation, and in its current part. */
final class ByteQuota {
    private long left;
    private long partLeft;

    ByteQuota(long bytes) {
        this.left = bytes;
        this.partLeft = bytes;
    }

    synchronized void beginPart(long bytesMax) {
        partLeft = bytesMax;
    }

    /** @throws IOException when the remote has sent more than the limit */
    synchronized void spend(long bytes) throws IOException {
        left -= bytes;
        partLeft -= bytes;
        if (isExhausted()) {
            throw new IOException("the remote sends more than AP_GIT_REPOSITORY_SIZE_MB allows");
        }
    }

    synchronized boolean isExhausted() {
        return left < 0 || partLeft < 0;
    }
}
