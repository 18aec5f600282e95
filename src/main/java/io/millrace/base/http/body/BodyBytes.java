package io.millrace.base.http.body;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Bytes that arrive in pieces. They are copied into segments: a buffer that grows would copy them over and over, and a piece
 * that is kept as received may hold one byte and occupy hundreds. Not thread-safe.
 */
public final class BodyBytes {
    private static final int SEGMENT_BYTES_MIN = 512;
    private static final int SEGMENT_BYTES_MAX = 64 * 1024;

    private final Deque<byte[]> full = new ArrayDeque<>();
    private byte[] last;
    private int lastLength;
    private long length;

    /** @param expectedBytes expected number of bytes, if known */
    public BodyBytes(long expectedBytes) {
        last = new byte[Math.clamp(expectedBytes, 0, SEGMENT_BYTES_MAX)];
    }

    public long length() {
        return length;
    }

    public void append(Buffer piece) {
        var at = 0;
        while (at < piece.length()) {
            if (lastLength == last.length) {
                addSegment(piece.length() - at);
            }
            var part = Math.min(piece.length() - at, last.length - lastLength);
            piece.getBytes(at, at + part, last, lastLength);
            lastLength += part;
            at += part;
        }
        length += piece.length();
    }

    private void addSegment(int wanted) {
        if (lastLength > 0) {
            full.add(last);
        }
        var twice = Math.max(2 * last.length, Math.max(wanted, SEGMENT_BYTES_MIN));
        last = new byte[Math.min(twice, SEGMENT_BYTES_MAX)];
        lastLength = 0;
    }

    /** This object is empty afterwards. */
    public byte[] take() {
        if (full.isEmpty() && lastLength == last.length) {
            var whole = last;
            clear();
            return whole;
        }
        var whole = new byte[Math.toIntExact(length)];
        var at = 0;
        for (var segment = full.poll(); segment != null; segment = full.poll()) {
            System.arraycopy(segment, 0, whole, at, segment.length);
            at += segment.length;
        }
        System.arraycopy(last, 0, whole, at, lastLength);
        clear();
        return whole;
    }

    private void clear() {
        last = new byte[0];
        lastLength = 0;
        length = 0;
    }
}
