package io.millrace.piece.npm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** Compressed archives with headers written byte by byte: no tool writes such entries. */
final class HandmadeTar {
    static final int BLOCK = 512;
    private static final long MEGABYTE = 1 << 20;

    private HandmadeTar() {}

    /** Writes entries. */
    interface Entries {
        void to(OutputStream tar) throws IOException;
    }

    static byte[] archive(Entries entries) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new GZIPOutputStream(bytes)) {
            file(tar, "package/package.json", '0', "{}".getBytes(StandardCharsets.US_ASCII));
            entries.to(tar);
            tar.write(new byte[2 * BLOCK]);
        }
        return bytes.toByteArray();
    }

    static void file(OutputStream tar, String name, char type, byte[] content) throws IOException {
        head(tar, name, type, content.length);
        tar.write(content);
        tar.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    static void zeros(OutputStream tar, String name, char type, long bytes) throws IOException {
        head(tar, name, type, bytes);
        for (var left = bytes; left > 0; left -= MEGABYTE) {
            tar.write(new byte[(int) MEGABYTE]);
        }
    }

    private static void head(OutputStream tar, String name, char type, long bytes) throws IOException {
        var head = new byte[BLOCK];
        put(head, 0, name);
        put(head, 100, "0000644");
        put(head, 124, "%011o".formatted(bytes));
        put(head, 136, "00000000000");
        head[156] = (byte) type;
        put(head, 257, "ustar");
        put(head, 263, "00");
        Arrays.fill(head, 148, 156, (byte) ' ');
        var sum = 0;
        for (var octet : head) {
            sum += octet & 0xff;
        }
        put(head, 148, "%06o\0".formatted(sum));
        tar.write(head);
    }

    private static void put(byte[] head, int at, String text) {
        var bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, head, at, bytes.length);
    }
}
