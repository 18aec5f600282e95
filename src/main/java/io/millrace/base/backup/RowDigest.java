package io.millrace.base.backup;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Counts and sums the rows that are written to it, one line each in PostgreSQL's text format. The sum of their SHA-256 does
 * not depend on their order, which a database is free to choose.
 */
final class RowDigest extends OutputStream {
    private static final int WORDS = 4;

    private final OutputStream next;
    private final MessageDigest row = sha256();
    private final long[] sums = new long[WORDS];
    private long rows;

    RowDigest(OutputStream next) {
        this.next = next;
    }

    /** A digest that passes no bytes on. */
    static RowDigest alone() {
        return new RowDigest(nullOutputStream());
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        next.write(bytes, from, length);
        var begin = from;
        for (var place = from; place < from + length; place++) {
            if (bytes[place] == '\n') {
                row.update(bytes, begin, place - begin);
                add(row.digest());
                begin = place + 1;
            }
        }
        row.update(bytes, begin, from + length - begin);
    }

    private void add(byte[] digest) {
        var words = ByteBuffer.wrap(digest).asLongBuffer();
        for (var word = 0; word < WORDS; word++) {
            sums[word] += words.get(word);
        }
        rows++;
    }

    TableSum sum() {
        var bytes = ByteBuffer.allocate(WORDS * Long.BYTES);
        bytes.asLongBuffer().put(sums);
        return new TableSum(rows, HexFormat.of().formatHex(bytes.array()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("SHA-256 is part of every Java", missing);
        }
    }
}
