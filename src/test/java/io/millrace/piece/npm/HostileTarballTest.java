package io.millrace.piece.npm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.npm.BadPackage;
import io.millrace.sandbox.npm.Dependencies;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Package archives with path traversal, or with contradictory names, headers and manifests. */
@HostileKind("package archive")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileTarballTest {
    @TempDir
    private Path around;

    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(around.resolve("folder"));
    }

    /** Names of files in archive order; the archive is rejected or all its files stay in their folder. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "package",
                "package/",
                "package//a",
                "package/./a",
                "./package/a",
                "package/a/.",
                "package/a/..",
                "package/...",
                "package/.. /a",
                "package/..;/a",
                "package/%2e%2e/a",
                "package/a:b",
                "package/C:/a",
                "package/~/a",
                "package/$HOME/a",
                "package/-rf",
                "package/a\u00e9.js",
                "package/CON",
                "package/node_modules/x/index.js",
                "package/node_modules/../../../x",
                "package/.git/hooks/post-checkout",
                "package/.npmrc/x",
                "package/package.json/x",
                "PACKAGE/a",
                "package\u0000/../x",
                "package/a\r\nb",
                "package/a\u007f",
                "\\\\host\\share\\x",
                "/package/a",
                "package/../package/a"
            })
    void writesIntoItsFolderOnly_forAnyName(String name) throws IOException {
        var archive = HandmadeTar.archive(tar -> {
            HandmadeTar.file(tar, "package/a.js", '0', new byte[1]);
            pax(tar, name);
            HandmadeTar.file(tar, "package/replaced", '0', new byte[1]);
        });
        try {
            PackageArchive.unpack(archive, folder);
        } catch (BadPackage refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
        try (var files = Files.walk(around)) {
            assertThat(files.filter(Files::isRegularFile))
                    .allSatisfy(file -> assertThat(file.toRealPath().startsWith(folder.toRealPath()))
                            .isTrue());
        }
        assertThat(around.resolve("x")).doesNotExist();
    }

    /** Long name header for the next entry. */
    private static void pax(OutputStream tar, String name) throws IOException {
        var record = " path=" + name + "\n";
        var bytes = record.getBytes(StandardCharsets.UTF_8).length;
        var length = bytes + Integer.toString(bytes).length();
        length = bytes + Integer.toString(length).length();
        HandmadeTar.file(tar, "././@PaxHeader", 'x', (length + record).getBytes(StandardCharsets.UTF_8));
    }

    /** Sizes and names in an extended header that contradict the header of the entry. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "size=-1",
                "size=99999999999999999999",
                "size=1e9",
                "size=",
                "linkpath=/etc/passwd",
                "path=",
                "GNU.sparse.major=1",
                "GNU.sparse.size=9999999999",
                "GNU.sparse.map=0,99999999999",
                "SCHILY.realsize=99999999999",
                "mtime=-99999999999999999999",
                "mtime=x",
                "uid=-1",
                "charset=x"
            })
    void refusesOrIgnoresHeadersThatContradict(String text) throws IOException {
        var record = " " + text + "\n";
        var archive = HandmadeTar.archive(tar -> {
            HandmadeTar.file(
                    tar, "././@PaxHeader", 'x', ((record.length() + 2) + record).getBytes(StandardCharsets.UTF_8));
            HandmadeTar.file(tar, "package/a", '0', new byte[1]);
        });
        try {
            PackageArchive.unpack(archive, folder);
        } catch (BadPackage refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
        assertThat(Files.isSymbolicLink(folder.resolve("a"))).isFalse();
        if (Files.exists(folder.resolve("a"))) {
            assertThat(Files.size(folder.resolve("a"))).isLessThanOrEqualTo(HandmadeTar.BLOCK);
        }
    }

    @ParameterizedTest
    @ValueSource(chars = {'1', '2', '3', '4', '6', 'S', 'D', 'M', 'V', 'N', 'g', 'X', 'A', 'z', '9'})
    void makesNoLinkAndNoDevice_ofAnyType(char type) throws IOException {
        var archive = HandmadeTar.archive(tar -> HandmadeTar.file(tar, "package/entry", type, new byte[0]));
        try {
            PackageArchive.unpack(archive, folder);
        } catch (BadPackage refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
        var entry = folder.resolve("entry");
        assertThat(Files.exists(entry, LinkOption.NOFOLLOW_LINKS)
                        && !Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    @Test
    void refusesMoreEntriesThanTheBound() throws IOException {
        var archive = HandmadeTar.archive(tar -> {
            for (var index = 0; index < 20_001; index++) {
                HandmadeTar.file(tar, "elsewhere/" + index, '0', new byte[0]);
            }
        });
        assertThatThrownBy(() -> PackageArchive.unpack(archive, folder)).isInstanceOf(BadPackage.class);
    }

    /** A second manifest replaces the first one; the validated manifest is the installed one. */
    @Test
    void judgesTheManifestThatIsInstalled() throws Exception {
        var archive = HandmadeTar.archive(tar -> {
            HandmadeTar.file(
                    tar, "package/package.json", '0', "{\"name\":\"good\"}".getBytes(StandardCharsets.US_ASCII));
            HandmadeTar.file(
                    tar, "package/./package.json", '0', "{\"name\":\"evil\"}".getBytes(StandardCharsets.US_ASCII));
            HandmadeTar.file(
                    tar, "package/Package.json", '0', "{\"name\":\"other\"}".getBytes(StandardCharsets.US_ASCII));
        });

        PackageArchive.unpack(archive, folder);

        assertThat(PackageManifest.read(folder).id().name()).isEqualTo("evil");
        assertThatThrownBy(() -> PackageManifest.read(folder).checkIs(new PackageId("good", "1.0.0")))
                .isInstanceOf(BadPackage.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "7",
                "'x'",
                "{",
                "{'name':{}}",
                "{'name':'../x','version':'1.0.0'}",
                "{'name':'x','version':'1.0.0/../..'}",
                "{'name':'x','version':'latest'}",
                "{'name':'@a/../b','version':'1.0.0'}",
                "{'name':'X','version':'1.0.0'}",
                "{'name':'x\u0000','version':'1.0.0'}",
                "{'name':'node_modules/../x','version':'1.0.0'}",
                "{'name':'','version':''}"
            })
    void takesNoManifestWithoutANameAndAVersion(String manifest) throws IOException {
        Files.writeString(folder.resolve("package.json"), manifest.replace('\'', '"'));
        try {
            assertThat(PackageManifest.read(folder).id().isValid()).isFalse();
        } catch (BadPackage refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'link':true,'resolved':'../x'}",
                "{'resolved':'file:../x','integrity':'sha512-x'}",
                "{'resolved':'git+ssh://git@host/x','integrity':'sha512-x'}",
                "{'resolved':'https://registry.example.com/x.tgz'}",
                "{'resolved':'','integrity':'sha512-x'}",
                "{'resolved':'HTTPS://x/x.tgz','integrity':'sha512-x'}",
                "{'resolved':'https://x/x.tgz','integrity':'sha512-x','dependencies':{'a':'file:../a'}}",
                "{'resolved':'https://x/x.tgz','integrity':'sha512-x','optionalDependencies':{'a':'git://x'}}",
                "{'resolved':'https://x/x.tgz','integrity':'sha512-x','peerDependencies':{'../a':'1.0.0'}}",
                "{'resolved':'https://x/x.tgz','integrity':'sha512-x','dependencies':{'a':7}}",
                "{}",
                "7"
            })
    void takesNothingInstalledThatIsNotOfTheRegistry(String entry) throws Exception {
        var lock = Json.object();
        lock.putObject("packages").set("node_modules/x", Json.parse(entry.replace('\'', '"')));
        assertThatThrownBy(() -> Dependencies.checkInstalled(lock)).isInstanceOf(BadPackage.class);
    }
}
