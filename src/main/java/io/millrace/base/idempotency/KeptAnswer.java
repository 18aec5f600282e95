package io.millrace.base.idempotency;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Bytes of an answer as they are kept: compressed, because definitions of flows repeat themselves. */
final class KeptAnswer {
    private KeptAnswer() {}

    static byte[] packed(byte[] answer) {
        var deflater = new Deflater(Deflater.BEST_SPEED);
        var packed = new ByteArrayOutputStream();
        try (var stream = new DeflaterOutputStream(packed, deflater)) {
            stream.write(answer);
        } catch (IOException impossible) {
            throw new UncheckedIOException("the stream writes to memory", impossible);
        } finally {
            deflater.end();
        }
        return packed.toByteArray();
    }

    static byte[] unpacked(byte[] packed) {
        try (var stream = new InflaterInputStream(new ByteArrayInputStream(packed))) {
            return stream.readAllBytes();
        } catch (IOException impossible) {
            throw new UncheckedIOException("the answer was packed by this class", impossible);
        }
    }
}
