package io.millrace.base.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes after the end of packed data: rejected, except for zero padding. */
class ContentCodingTest {
    private static final int BYTES_MAX = 1 << 20;

    /** Larger than the buffer of the decoder. */
    private static final int LARGE = 100_000;

    private static byte[] packed(String kind, byte[] plain) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var stream = kind.equals("gzip")
                ? new GZIPOutputStream(packed)
                : new DeflaterOutputStream(packed, new Deflater(Deflater.BEST_SPEED, kind.equals("raw")))) {
            stream.write(plain);
        }
        return packed.toByteArray();
    }

    private static byte[] plain(int length) {
        var bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (var part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] unpacked(String kind, byte[] packed) throws IOException {
        return ContentCoding.unpacked(packed, kind.equals("gzip") ? "gzip" : "deflate", BYTES_MAX, _ -> {});
    }

    @ParameterizedTest
    @CsvSource({"gzip,1", "gzip,9", "gzip,30", "gzip,40000", "zlib,1", "zlib,40000", "raw,1", "raw,9", "raw,40000"})
    void refusesBytesBehindTheEnd(String kind, int more) throws IOException {
        for (var length : new int[] {0, 10, LARGE}) {
            var packed = joined(packed(kind, plain(length)), new byte[more - 1], new byte[] {7});

            assertThatThrownBy(() -> unpacked(kind, packed))
                    .as("%s bytes", length)
                    .isInstanceOf(ZipException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zlib", "raw"})
    void acceptsPadding(String kind) throws IOException {
        for (var length : new int[] {0, 10, LARGE}) {
            for (var padding : new int[] {0, 1, 18, 19, 512, 40_000}) {
                var packed = joined(packed(kind, plain(length)), new byte[padding]);

                assertThat(unpacked(kind, packed))
                        .as("%s and %s bytes", length, padding)
                        .isEqualTo(plain(length));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0,0", "10,0", "0,10", "10,10", "100000,10", "10,100000", "100000,100000"})
    void readsSeveralMembers(int first, int second) throws IOException {
        var packed = joined(packed("gzip", plain(first)), packed("gzip", plain(second)));

        assertThat(unpacked("gzip", packed)).isEqualTo(joined(plain(first), plain(second)));
    }

    @Test
    void readsZstd_andCountsItsMemory() throws IOException {
        var taken = new AtomicLong();

        var content = ContentCoding.unpacked(ZstdTest.resource("lines.zst"), "zstd", BYTES_MAX, taken::addAndGet);

        assertThat(new String(content, StandardCharsets.UTF_8)).startsWith("0 0 order accepted by mill 0\n1 1 order");
        assertThat(taken.get()).isGreaterThanOrEqualTo(content.length).isLessThanOrEqualTo(2L * content.length);
    }

    @Test
    void refusesZstd_thatIsLargerOrDamagedOrRefused() throws IOException {
        var zeros = ZstdTest.resource("zeros.zst");

        assertThat(ContentCoding.unpacked(zeros, "zstd", 2_000_000, _ -> {})).hasSize(2_000_000);
        assertThatThrownBy(() -> ContentCoding.unpacked(zeros, "zstd", 1_999_999, _ -> {}))
                .isInstanceOf(ContentCoding.TooLargeException.class);
        assertThatThrownBy(() ->
                        ContentCoding.unpacked(Arrays.copyOf(zeros, zeros.length - 1), "zstd", 2_000_000, _ -> {}))
                .isInstanceOf(ZipException.class);
        assertThatThrownBy(() -> ContentCoding.unpacked(joined(zeros, new byte[] {7}), "zstd", 2_000_000, _ -> {}))
                .isInstanceOf(ZipException.class);
        assertThatThrownBy(() -> ContentCoding.unpacked(zeros, "zstd", 2_000_000, _ -> {
                    throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "no room");
                }))
                .isInstanceOf(ApiException.class);
    }
}
