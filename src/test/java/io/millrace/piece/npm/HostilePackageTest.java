package io.millrace.piece.npm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.npm.BadPackage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Archives that exhaust memory, disk or CPU time. Headers are written by hand: no tool writes such archives. */
@HostileKind("package archive")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostilePackageTest {
    private static final long MEGABYTE = 1 << 20;

    @TempDir
    private Path around;

    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(around.resolve("folder"));
    }

    private void refuses(HandmadeTar.Entries entries) throws IOException {
        var archive = HandmadeTar.archive(entries);
        assertThatThrownBy(() -> PackageArchive.unpack(archive, folder)).isInstanceOf(BadPackage.class);
    }

    @Test
    void refusesWhatLeadsOutsideOfItsFolder() throws IOException {
        for (var name : new String[] {"package/../../x", "/etc/x", "package/..\\x", "../x", "package/a/../../../x"}) {
            refuses(tar -> HandmadeTar.file(tar, name, '0', new byte[1]));
        }
        assertThat(folder.resolveSibling("x")).doesNotExist();
    }

    @Test
    void refusesLinksAndDevices() throws IOException {
        for (var type : new char[] {'1', '2', '3', '4', '6'}) {
            refuses(tar -> HandmadeTar.file(tar, "package/link", type, new byte[0]));
        }
        assertThat(Files.isSymbolicLink(folder.resolve("link"))).isFalse();
    }

    @Test
    void refusesAFileThatUnpacksBeyondTheBound() throws IOException {
        refuses(tar -> HandmadeTar.zeros(tar, "package/a", '0', 70 * MEGABYTE));
    }

    /** Skipped entries count as well, because skipping unpacks them. */
    @Test
    void refusesWhatUnpacksBeyondTheBound_whereItIsPassedOver() throws IOException {
        refuses(tar -> HandmadeTar.zeros(tar, "elsewhere/a", '0', 200 * MEGABYTE));
        refuses(tar -> HandmadeTar.zeros(tar, "package/.npmrc", '0', 200 * MEGABYTE));
    }

    /** The library reads a long name into memory. */
    @Test
    void refusesANameThatUnpacksBeyondTheBound() throws IOException {
        refuses(tar -> HandmadeTar.zeros(tar, "././@LongLink", 'L', 200 * MEGABYTE));
        refuses(tar -> HandmadeTar.zeros(tar, "././@PaxHeader", 'x', 200 * MEGABYTE));
    }

    @Test
    void unpacksLongNamesAndLargeFilesElsewhere() throws IOException {
        // Given
        var name = "package/" + "folder/".repeat(20) + "a.js";
        var archive = HandmadeTar.archive(tar -> {
            HandmadeTar.file(tar, "././@LongLink", 'L', (name + '\0').getBytes(StandardCharsets.US_ASCII));
            HandmadeTar.file(tar, name.substring(0, 100), '0', new byte[] {'x'});
            HandmadeTar.zeros(tar, "package/package-lock.json", '0', 20 * MEGABYTE);
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
