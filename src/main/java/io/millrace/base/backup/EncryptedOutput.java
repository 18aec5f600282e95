package io.millrace.base.backup;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.SecureRandom;

/** Writes a stream encrypted: magic bytes, salt, then chunks with their length. Closing writes the last one. */
final class EncryptedOutput extends OutputStream {
    private final DataOutputStream output;
    private final ChunkCipher cipher;
    private final byte[] chunk = new byte[ChunkCipher.CHUNK_BYTES];
    private int filled;
    private boolean isClosed;

    EncryptedOutput(OutputStream output, BackupKey key) throws IOException {
        this.output = new DataOutputStream(output);
        var salt = new byte[ChunkCipher.SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        this.output.write(ChunkCipher.MAGIC);
        this.output.write(salt);
        this.cipher = new ChunkCipher(key.of(salt));
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        var done = 0;
        while (done < length) {
            if (filled == chunk.length) {
                flush(false);
            }
            var some = Math.min(length - done, chunk.length - filled);
            System.arraycopy(bytes, from + done, chunk, filled, some);
            filled += some;
            done += some;
        }
    }

    private void flush(boolean isLast) throws IOException {
        var sealed = cipher.seal(chunk, filled, isLast);
        output.writeBoolean(isLast);
        output.writeInt(sealed.length);
        output.write(sealed);
        filled = 0;
    }

    @Override
    public void flush() throws IOException {
        output.flush();
    }

    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            flush(true);
            output.close();
        }
    }
}
