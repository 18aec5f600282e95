package io.millrace.sandbox.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Location of the files of sandbox accounts, for data directories that these accounts can and cannot traverse. */
class SandboxBaseTest {
    private static final List<Integer> USERS = List.of(65_521, 65_522);

    @TempDir
    private Path root;

    private Path parent;
    private Path data;

    @BeforeEach
    void givenADataDirectory() throws IOException {
        assumeTrue((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "not root");
        permit(root, "rwx--x--x");
        parent = permit(Files.createDirectory(root.resolve("lib")), "rwxr-xr-x");
        data = permit(Files.createDirectories(root.resolve("private/data")), "rwx--x--x");
        permit(data.getParent(), "rwx------");
    }

    private static Path permit(Path path, String permissions) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private Path chosen() throws IOException {
        return SandboxBase.choose(data, USERS, List.of(parent));
    }

    @Test
    void isTheDataDirectory_whenTheAccountsCanPassIt() throws IOException {
        permit(data.getParent(), "rwx--x--x");

        assertThat(chosen()).isEqualTo(data);
    }

    @Test
    void isADirectoryOfRoot_whenTheDataIsClosed_andAlwaysTheSame() throws IOException {
        var base = chosen();

        assertThat(base).isEqualTo(chosen()).hasParent(parent);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(base)))
                .isEqualTo("rwx--x--x");
        assertThat(SandboxBase.choose(Files.createDirectory(data.resolveSibling("other")), USERS, List.of(parent)))
                .isNotEqualTo(base);
    }

    @Test
    void isNotALink_norTheDirectoryOfAnother_norOneThatOthersCanChange() throws IOException {
        var base = chosen();

        Files.delete(base);
        Files.createSymbolicLink(base, permit(Files.createDirectory(root.resolve("elsewhere")), "rwx--x--x"));
        var linked = chosen();
        Files.delete(base);
        Files.createDirectory(base);
        Files.setAttribute(base, "unix:uid", 65_521, LinkOption.NOFOLLOW_LINKS);
        var owned = chosen();
        Files.setAttribute(base, "unix:uid", 0, LinkOption.NOFOLLOW_LINKS);
        permit(base, "rwxrwx--x");
        var writable = chosen();
        permit(base, "rwx--x--x");
        permit(parent, "rwxrwxrwx");
        var replaceable = chosen();

        assertThat(List.of(linked, owned, writable, replaceable)).containsOnly(data);
    }

    @Test
    void isTheDataDirectory_whenNoParentIsThere() throws IOException {
        assertThat(SandboxBase.choose(data, USERS, List.of(root.resolve("missing"))))
                .isEqualTo(data);
    }

    @Test
    void hasTheInstalledPackages_ofTheDataDirectory() throws IOException {
        Files.createDirectories(data.resolve("pieces/group/package"));
        Files.writeString(data.resolve("pieces/group/package/ready"), "sha512");
        var base = chosen();

        SandboxBase.adopt(data, base, "pieces");
        Files.writeString(data.resolve("pieces/group/package/ready"), "changed");
        SandboxBase.adopt(data, base, "pieces");
        SandboxBase.adopt(data, base, "missing");

        assertThat(base.resolve("pieces/group/package/ready")).content().isEqualTo("sha512");
        try (var entries = Files.list(base)) {
            assertThat(entries).containsExactly(base.resolve("pieces"));
        }
    }
}
