package io.millrace.sandbox.node.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads lines of bounded length. A line that is not a frame ends early, so a process that floods the pipe cannot fill this server's
 * memory.
 */
final class FrameReader {
    /** Largest frame in either direction (contract pieces 9). */
    static final int FRAME_BYTES_MAX = 16 << 20;

    /** Maximum number of bytes before a frame in its line: output that a package wrote without the host. */
    static final int STRAY_BYTES_MAX = 64 << 10;

    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int from;
    private int to;

    FrameReader(InputStream in) {
        this.in = in;
    }

    /**
     * The next line without its end; null at the end of input.
     *
     * @throws IOException when a line is longer than any frame may be, or that long without a frame
     */
    byte[] readLine() throws IOException {
        var line = new ByteArrayOutputStream(256);
        var isFrame = false;
        while (true) {
            if (from == to) {
                from = 0;
                to = in.read(buffer, 0, buffer.length);
                if (to <= 0) {
                    to = 0;
                    return line.size() == 0 ? null : line.toByteArray();
                }
            }
            var end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            line.write(buffer, from, end - from);
            if (line.size() > FRAME_BYTES_MAX) {
                throw new IOException("expected lines of at most " + FRAME_BYTES_MAX + " bytes");
            }
            if (!isFrame && line.size() > STRAY_BYTES_MAX) {
                isFrame = HostFrame.isIn(line.toByteArray());
                if (!isFrame) {
                    throw new IOException("the piece wrote into the pipe of its process");
                }
            }
            from = end < to ? end + 1 : end;
            if (end < to) {
                return line.toByteArray();
            }
        }
    }
}
