package io.millrace.sandbox.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.base.core.FolderTree;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.npm.BadPackage;
import io.millrace.sandbox.npm.Dependencies;
import io.millrace.sandbox.npm.PackageManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;

/**
 * Fetches the npm packages of a step into a folder for as long as its program is made. No script of a package runs, and only
 * packages of the registry are installed. Blocks.
 */
final class CodePackages {
    private static final long INSTALL_MS_MAX = 120_000;
    static final String MODULES = "node_modules";

    private final PackageManager packages;
    private final Isolation isolation;
    private final Path fetched;
    private final Path bundled;

    /** @param directory of this module; the package manager and the compiler are different users below it */
    CodePackages(PackageManager packages, Isolation isolation, Path directory) {
        this.packages = packages;
        this.isolation = isolation;
        this.fetched =
                directory.resolveSibling(directory.getFileName() + "-fetched").toAbsolutePath();
        this.bundled =
                directory.resolveSibling(directory.getFileName() + "-bundled").toAbsolutePath();
    }

    /**
     * A folder with packages, which the caller of {@link #install} removes.
     *
     * @param lock lock file of the package manager
     */
    record PackageFolder(Path path, String lock) {}

    static byte[] pack(PackageFolder folder, long bytesMax) throws BadPackage, IOException {
        return NativeFiles.pack(folder.path().resolve(MODULES), bytesMax);
    }

    PackageFolder install(Dependencies wanted) throws BadPackage, IOException {
        wanted.check();
        isolation.open(ProcessPurpose.PIECE, fetched);
        isolation.open(ProcessPurpose.COMPILER, bundled);
        var name = UUID.randomUUID().toString();
        var work = fetched.resolve(name);
        try {
            packages.install(wanted, Optional.empty(), work, INSTALL_MS_MAX);
            isolation.takeBack(work);
            var modules = work.resolve(MODULES);
            var lock = Files.readAllBytes(modules.resolve(".package-lock.json"));
            Dependencies.checkInstalled(Json.parse(lock));
            checkPlain(modules);
            var folder = bundled.resolve(name);
            isolation.open(ProcessPurpose.COMPILER, folder);
            Files.move(modules, folder.resolve(MODULES), StandardCopyOption.ATOMIC_MOVE);
            return new PackageFolder(folder, Json.text(Json.parse(lock)));
        } catch (JsonProcessingException malformed) {
            throw new BadPackage("the package manager does not report the installed packages", malformed);
        } finally {
            FolderTree.remove(work);
        }
    }

    private static void checkPlain(Path tree) throws BadPackage, IOException {
        try (var paths = Files.walk(tree)) {
            for (var path : (Iterable<Path>) paths::iterator) {
                if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                        && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    throw new BadPackage("a package has a link or a special file: " + path.getFileName());
                }
            }
        }
    }
}
