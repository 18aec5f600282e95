package io.millrace.base.backup;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads the output of {@link EncryptedOutput} after the magic bytes. Returns only authenticated data. */
final class EncryptedInput extends InputStream {
    private final DataInputStream input;
    private final ChunkCipher cipher;
    private byte[] chunk = new byte[0];
    private int place;
    private boolean isLast;

    EncryptedInput(InputStream behindMagic, BackupKey key) throws IOException {
        this.input = new DataInputStream(behindMagic);
        var salt = new byte[ChunkCipher.SALT_BYTES];
        input.readFully(salt);
        this.cipher = new ChunkCipher(key.of(salt));
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (place == chunk.length) {
            if (isLast) {
                return -1;
            }
            next();
        }
        var some = Math.min(length, chunk.length - place);
        System.arraycopy(chunk, place, target, from, some);
        place += some;
        return some;
    }

    private void next() throws IOException {
        try {
            isLast = input.readBoolean();
            var length = input.readInt();
            if (length < ChunkCipher.TAG_BYTES || length > ChunkCipher.CHUNK_BYTES + ChunkCipher.TAG_BYTES) {
                throw new BackupException("the backup is damaged: it has a chunk of " + length + " bytes");
            }
            var sealed = new byte[length];
            input.readFully(sealed);
            chunk = cipher.open(sealed, isLast);
            place = 0;
        } catch (EOFException cutOff) {
            throw new BackupException("the backup is damaged: its end is missing", cutOff);
        }
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
