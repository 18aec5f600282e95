package io.millrace.piece.npm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.npm.BadPackage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Archives that want this server's memory, disk and time. Heads are written by hand: no tool writes such archives. */
@HostileKind("package archive")
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostilePackageTest {
    private static final long MEGABYTE = 1 << 20;
    private static final int BLOCK = 512;

    @TempDir
    private Path around;

    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(around.resolve("folder"));
    }

    /** Writes entries. */
    private interface Entries {
        void to(OutputStream tar) throws IOException;
    }

    private static byte[] archive(Entries entries) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new GZIPOutputStream(bytes)) {
            file(tar, "package/package.json", '0', "{}".getBytes(StandardCharsets.US_ASCII));
            entries.to(tar);
            tar.write(new byte[2 * BLOCK]);
        }
        return bytes.toByteArray();
    }

    private static void file(OutputStream tar, String name, char type, byte[] content) throws IOException {
        head(tar, name, type, content.length);
        tar.write(content);
        tar.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    private static void zeros(OutputStream tar, String name, char type, long bytes) throws IOException {
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

    private void refuses(Entries entries) throws IOException {
        var archive = archive(entries);
        assertThatThrownBy(() -> PackageArchive.unpack(archive, folder)).isInstanceOf(BadPackage.class);
    }

    @Test
    void refusesWhatLeadsOutsideOfItsFolder() throws IOException {
        for (var name : new String[] {"package/../../x", "/etc/x", "package/..\\x", "../x", "package/a/../../../x"}) {
            refuses(tar -> file(tar, name, '0', new byte[1]));
        }
        assertThat(folder.resolveSibling("x")).doesNotExist();
    }

    @Test
    void refusesLinksAndDevices() throws IOException {
        for (var type : new char[] {'1', '2', '3', '4', '6'}) {
            refuses(tar -> file(tar, "package/link", type, new byte[0]));
        }
        assertThat(Files.isSymbolicLink(folder.resolve("link"))).isFalse();
    }

    @Test
    void refusesAFileThatUnpacksBeyondTheBound() throws IOException {
        refuses(tar -> zeros(tar, "package/a", '0', 70 * MEGABYTE));
    }

    /** What is passed over is unpacked all the same. */
    @Test
    void refusesWhatUnpacksBeyondTheBound_whereItIsPassedOver() throws IOException {
        refuses(tar -> zeros(tar, "elsewhere/a", '0', 200 * MEGABYTE));
        refuses(tar -> zeros(tar, "package/.npmrc", '0', 200 * MEGABYTE));
    }

    /** The library reads a long name into memory. */
    @Test
    void refusesANameThatUnpacksBeyondTheBound() throws IOException {
        refuses(tar -> zeros(tar, "././@LongLink", 'L', 200 * MEGABYTE));
        refuses(tar -> zeros(tar, "././@PaxHeader", 'x', 200 * MEGABYTE));
    }

    @Test
    void unpacksLongNamesAndLargeFilesElsewhere() throws IOException {
        // Given
        var name = "package/" + "folder/".repeat(20) + "a.js";
        var archive = archive(tar -> {
            file(tar, "././@LongLink", 'L', (name + '\0').getBytes(StandardCharsets.US_ASCII));
            file(tar, name.substring(0, 100), '0', new byte[] {'x'});
            zeros(tar, "package/package-lock.json", '0', 20 * MEGABYTE);
        });

        // When
        unpacked(archive);

        // Then
        assertThat(folder.resolve(name.substring("package/".length()))).hasContent("x");
        assertThat(folder.resolve("package-lock.json")).doesNotExist();
    }

    private void unpacked(byte[] archive) {
        try {
            PackageArchive.unpack(archive, folder);
        } catch (BadPackage refused) {
            throw new AssertionError(refused);
        }
    }
}
