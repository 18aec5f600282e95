package io.millrace.integration.git;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jgit.errors.TooLargePackException;
import org.eclipse.jgit.util.NB;

/**
 * A pack whose header was checked: it declares the number of objects, and the library allocates memory for all of them before
 * it reads the first.
 */
final class PackHead extends FilterInputStream {
    private static final int BYTES = 12;
    private static final int COUNT_AT = 8;

    private final long objectsMax;
    private final byte[] head = new byte[BYTES];
    private int length = -1;
    private int told;

    PackHead(InputStream pack, long objectsMax) {
        super(pack);
        this.objectsMax = objectsMax;
    }

    @Override
    public int read() throws IOException {
        look();
        return told < length ? head[told++] & 0xff : super.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        look();
        if (told >= length) {
            return super.read(bytes, offset, count);
        }
        var part = Math.min(count, length - told);
        System.arraycopy(head, told, bytes, offset, part);
        told += part;
        return part;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void look() throws IOException {
        if (length >= 0) {
            return;
        }
        length = in.readNBytes(head, 0, BYTES);
        if (length == BYTES && NB.decodeUInt32(head, COUNT_AT) > objectsMax) {
            throw new TooLargePackException(objectsMax);
        }
    }
}
