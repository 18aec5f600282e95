package io.millrace.piece.npm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.sandbox.npm.BadPackage;
import io.millrace.support.piece.PiecePackage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files written from an uploaded archive. */
class PackageArchiveTest {
    private static final PiecePackage PIECE = PiecePackage.probe("@acme/piece-hostile", "1.0.0");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "package/.npmrc",
                "package/./.npmrc",
                "package//.npmrc",
                "./package/.npmrc",
                "package/a/.npmrc",
                "package/node_modules/b/./.npmrc",
                "package/.NPMRC",
                "package/.npmrc ",
                "package/.\uff4epmrc",
                "package/npm-shrinkwrap.json",
                "package/a/../package-lock.json",
                "package/./package-lock.json",
                "package/yarn.lock",
                "package/.yarnrc",
                "package/.yarnrc.yml",
                "package/binding.gyp",
                "package/src/Binding.gyp",
                "package/.gitmodules",
                "package/pnpm-workspace.yaml"
            })
    void leavesOutWhatSteersAPackageManager(String entry) throws IOException {
        try {
            PackageArchive.unpack(PIECE.with(entry, "git=/evil").tgz(), folder);
        } catch (BadPackage refused) {
            assertThat(entry).contains("..");
        }

        try (var files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> folder.relativize(file).toString()))
                    .isSubsetOf("package.json", "src/index.js", "src/i18n/de.json");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../evil",
                "package/../evil",
                "package/../../evil",
                "package/a/../../package/evil",
                "/etc/evil",
                "//etc/evil",
                "package\\..\\evil",
                "package/a\\b",
                "package/a\nb"
            })
    void refusesNamesThatLeaveTheFolder(String entry) {
        assertThatThrownBy(() -> PackageArchive.unpack(PIECE.with(entry, "x").tgz(), folder))
                .isInstanceOf(BadPackage.class);
        assertThat(folder.resolveSibling("evil")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            bytes = {
                TarConstants.LF_SYMLINK,
                TarConstants.LF_LINK,
                TarConstants.LF_FIFO,
                TarConstants.LF_CHR,
                TarConstants.LF_BLK
            })
    void refusesLinksAndSpecialFiles(byte kind) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            var entry = new TarArchiveEntry("package/link", kind);
            entry.setLinkName("/etc/passwd");
            tar.putArchiveEntry(entry);
            tar.closeArchiveEntry();
        }

        assertThatThrownBy(() -> PackageArchive.unpack(bytes.toByteArray(), folder))
                .isInstanceOf(BadPackage.class)
                .hasMessageContaining("link or a special file");
    }

    @Test
    void writesOneFile_howeverItsNameIsWritten() throws BadPackage {
        PackageArchive.unpack(PIECE.with("package/./src//more.js", "1").tgz(), folder);

        assertThat(folder.resolve("src/more.js")).hasContent("1");
    }
}
