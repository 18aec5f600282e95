package io.millrace.integration.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.DeflaterOutputStream;

/** Response of a git server to a first fetch: its branch, and a malformed or unusual pack. */
final class HandmadePack {
    private static final String TIP = "1".repeat(40);
    private static final int DIFFERENCE = 6;
    private static final int BLOB = 3;

    private final ByteArrayOutputStream objects = new ByteArrayOutputStream();
    private int count;

    /** Adds a file to the pack and returns its offset. */
    int blob(byte[] content) {
        return object(BLOB, content.length, new byte[0], content);
    }

    /** Adds a delta that appends one character to another object, and returns its offset in the pack. */
    int longer(int base, int baseLength, char letter) {
        var delta = new ByteArrayOutputStream();
        delta.writeBytes(varint(baseLength));
        delta.writeBytes(varint(baseLength + 1));
        // Copies this many bytes from the beginning, then inserts one.
        delta.write(0x80 | 0x70);
        delta.write(baseLength);
        delta.write(baseLength >> 8);
        delta.write(baseLength >> 16);
        delta.write(1);
        delta.write(letter);
        var here = 12 + objects.size();
        return object(DIFFERENCE, delta.size(), distance(here - base), delta.toByteArray());
    }

    private int object(int type, int length, byte[] base, byte[] content) {
        var here = 12 + objects.size();
        var head = type << 4 | length & 15;
        for (var rest = length >>> 4; rest > 0; rest >>>= 7) {
            objects.write(head | 0x80);
            head = rest & 0x7f;
        }
        objects.write(head);
        objects.writeBytes(base);
        try (var deflated = new DeflaterOutputStream(objects)) {
            deflated.write(content);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        count++;
        return here;
    }

    private static byte[] varint(int number) {
        var bytes = new ByteArrayOutputStream();
        var rest = number;
        for (; rest > 0x7f; rest >>>= 7) {
            bytes.write(rest & 0x7f | 0x80);
        }
        bytes.write(rest);
        return bytes.toByteArray();
    }

    /** Encodes the number from the end to the beginning, each part but the last one reduced by one. */
    private static byte[] distance(int bytes) {
        var text = new byte[5];
        var at = text.length - 1;
        var rest = bytes;
        text[at] = (byte) (rest & 0x7f);
        while ((rest >>>= 7) > 0) {
            text[--at] = (byte) (--rest & 0x7f | 0x80);
        }
        return java.util.Arrays.copyOfRange(text, at, text.length);
    }

    /** Complete response of the server. */
    byte[] said() {
        return said(count);
    }

    /** Complete response with another number of announced objects. */
    byte[] said(int announced) {
        var pack = new ByteArrayOutputStream();
        pack.writeBytes("PACK".getBytes(StandardCharsets.US_ASCII));
        for (var number : new int[] {2, announced}) {
            pack.writeBytes(
                    new byte[] {(byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number});
        }
        pack.writeBytes(objects.toByteArray());
        pack.writeBytes(sha1(pack.toByteArray()));
        var said = new ByteArrayOutputStream();
        said.writeBytes(line(TIP + " refs/heads/main\0shallow ofs-delta agent=hostile\n"));
        said.writeBytes("0000".getBytes(StandardCharsets.US_ASCII));
        said.writeBytes(line("shallow " + TIP));
        said.writeBytes("0000".getBytes(StandardCharsets.US_ASCII));
        said.writeBytes(line("NAK\n"));
        said.writeBytes(pack.toByteArray());
        return said.toByteArray();
    }

    /** This many branches, and no pack. */
    static byte[] branches(int number) {
        var said = new ByteArrayOutputStream();
        for (var index = 0; index < number; index++) {
            said.writeBytes(line(TIP + " refs/heads/a-branch-with-a-name-of-some-length-" + index
                    + (index == 0 ? "\0shallow\n" : "\n")));
        }
        said.writeBytes("0000".getBytes(StandardCharsets.US_ASCII));
        return said.toByteArray();
    }

    /** An error instead of branches. */
    static byte[] error(String text) {
        return line("ERR " + text);
    }

    /** Side-band messages without a pack: channel 2 is progress, channel 3 an error. */
    static byte[] messages(int channel, String text) {
        var said = new ByteArrayOutputStream();
        said.writeBytes(line(TIP + " refs/heads/main\0shallow ofs-delta side-band-64k agent=hostile\n"));
        said.writeBytes("0000".getBytes(StandardCharsets.US_ASCII));
        said.writeBytes(line("shallow " + TIP));
        said.writeBytes("0000".getBytes(StandardCharsets.US_ASCII));
        said.writeBytes(line("NAK\n"));
        said.writeBytes(line((char) channel + text));
        // Without them the operation would last until its time limit.
        said.writeBytes(line("\u0003the end"));
        return said.toByteArray();
    }

    private static byte[] line(String text) {
        return ("%04x".formatted(text.length() + 4) + text).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] sha1(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
