package io.millrace.base.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Round trips of the encrypted stream: the reader returns the original bytes or fails. */
final class EncryptedStreamTest {
    private static final String KEY = "ab".repeat(32);
    private static final int HEAD = ChunkCipher.MAGIC.length;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537, 200_000})
    void bytesComeBack(int length) throws IOException {
        var bytes = bytes(length);

        assertThat(opened(sealed(bytes, KEY), KEY)).isEqualTo(bytes);
    }

    @Test
    void nothingIsGivenOut_whenAByteIsAnother() throws IOException {
        var sealed = sealed(bytes(100), KEY);
        for (var place = HEAD; place < sealed.length; place++) {
            var changed = sealed.clone();
            changed[place] ^= 1;
            assertThatThrownBy(() -> opened(changed, KEY)).as("byte %d", place).isInstanceOf(BackupException.class);
        }
    }

    @Test
    void endIsMissed_whenChunksAreCutOffOrSwapped() throws IOException {
        var sealed = sealed(bytes(3 * ChunkCipher.CHUNK_BYTES), KEY);
        var chunk = 1 + Integer.BYTES + ChunkCipher.CHUNK_BYTES + ChunkCipher.TAG_BYTES;
        var first = HEAD + ChunkCipher.SALT_BYTES;
        var swapped = sealed.clone();
        System.arraycopy(sealed, first, swapped, first + chunk, chunk);
        System.arraycopy(sealed, first + chunk, swapped, first, chunk);

        assertThatThrownBy(() -> opened(Arrays.copyOf(sealed, first + chunk), KEY))
                .hasMessageContaining("end is missing");
        assertThatThrownBy(() -> opened(swapped, KEY)).hasMessageContaining("damaged");
    }

    @Test
    void anotherKeyOpensNothing_andAFileThatIsNoKeyIsRefused() throws IOException {
        var sealed = sealed(bytes(10), KEY);

        assertThatThrownBy(() -> opened(sealed, "cd".repeat(32))).isInstanceOf(BackupException.class);
        assertThatThrownBy(() -> key("hidden"))
                .hasMessageContaining("expected 64 hexadecimal characters")
                .message()
                .doesNotContain("hidden");
    }

    @Test
    void sumOfRowsDependsOnRows_notOnTheirOrderOrOnHowTheyCome() throws IOException {
        assertThat(sum("a\nb\n", 1)).isEqualTo(sum("b\na\n", 4)).isNotEqualTo(sum("a\na\n", 4));
        assertThat(sum("a\nb\n", 4).rows()).isEqualTo(2);
    }

    private static TableSum sum(String rows, int step) throws IOException {
        var digest = RowDigest.alone();
        var bytes = rows.getBytes(StandardCharsets.UTF_8);
        for (var place = 0; place < bytes.length; place += step) {
            digest.write(bytes, place, Math.min(step, bytes.length - place));
        }
        return digest.sum();
    }

    private byte[] sealed(byte[] bytes, String key) throws IOException {
        var target = new ByteArrayOutputStream();
        try (var output = new EncryptedOutput(target, key(key))) {
            output.write(bytes);
        }
        return target.toByteArray();
    }

    private byte[] opened(byte[] sealed, String key) throws IOException {
        try (var input = new EncryptedInput(new ByteArrayInputStream(sealed, HEAD, sealed.length - HEAD), key(key))) {
            return input.readAllBytes();
        }
    }

    private BackupKey key(String text) throws IOException {
        return BackupKey.read(Files.writeString(directory.resolve("key"), text));
    }

    private static byte[] bytes(int length) {
        var bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }
}
