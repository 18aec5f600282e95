package io.millrace.piece.npm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.FolderTree;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.npm.BadPackage;
import io.millrace.sandbox.npm.Dependencies;
import io.millrace.sandbox.npm.PackageManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs packages into folders: downloads an exact version, verifies and unpacks it, and adds its dependencies
 * without running their scripts (contract pieces 13.2). A finished folder appears atomically and is immutable.
 * Blocking; called on worker threads.
 */
final class PackageInstaller {
    private static final Logger LOG = LoggerFactory.getLogger(PackageInstaller.class);

    private static final String READY = "ready";

    private static final String MODULES = "node_modules";
    private static final long FETCH_MS_MAX = 60_000;
    private static final long DEPENDENCIES_MS_MAX = 300_000;

    private final PackageManager packages;
    private final Isolation isolation;
    private final Path root;

    /**
     * @param isolation gives the package manager a folder, and nothing else
     * @param root folder of all groups' packages
     */
    PackageInstaller(PackageManager packages, Isolation isolation, Path root) {
        this.packages = packages;
        this.isolation = isolation;
        this.root = root;
    }

    /** Folder of a group's packages, readable by its processes. */
    Path groupFolder(String group) {
        return root.resolve(group);
    }

    /** Installation folder of a package in a group; it need not exist yet. */
    Path folder(String group, PackageId id, String integrity) {
        return home(group, id, integrity).resolve("package");
    }

    private Path home(String group, PackageId id, String integrity) {
        return groupFolder(group).resolve(id.folderName(integrity));
    }

    boolean isInstalled(String group, PackageId id, String integrity) {
        return Files.exists(home(group, id, integrity).resolve(READY));
    }

    String newest(String name) throws BadPackage {
        var part = root.resolve("part-" + UUID.randomUUID());
        try {
            isolation.open(ProcessPurpose.PIECE, root);
            Files.createDirectories(part);
            var work = part.resolve("work");
            var told = packages.newest(name, work, FETCH_MS_MAX);
            isolation.takeBack(work);
            var version = Json.parse(told).asText();
            if (!new PackageId(name, version).isValid()) {
                throw new BadPackage("the registry states no newest version of " + name + "; name a version");
            }
            return version;
        } catch (JsonProcessingException malformed) {
            throw new BadPackage("the registry states no newest version of " + name + "; name a version", malformed);
        } catch (IOException | UncheckedIOException failure) {
            throw new BadPackage(name + " could not be installed: " + failure.getMessage(), failure);
        } finally {
            discard(part);
        }
    }

    /**
     * An installed package.
     *
     * @param integrity of its archive
     * @param lock of its dependencies; empty if it needs none or brings them along
     */
    record InstalledPackage(String integrity, Optional<String> lock) {}

    /**
     * Installs a package.
     *
     * @param lock of its dependencies from an earlier installation; empty to resolve them now
     */
    InstalledPackage install(String group, PackageId id, PackageSource source, Optional<String> lock)
            throws BadPackage {
        var part = root.resolve("part-" + UUID.randomUUID());
        try {
            isolation.open(ProcessPurpose.PIECE, root);
            Files.createDirectories(part);
            var work = part.resolve("work");
            var archive = switch (source) {
                case PackageSource.Registry _ -> fetched(id, work);
                case PackageSource.Archive uploaded -> uploaded.content().getBytes();
            };
            var integrity = PackageArchive.integrity(archive);
            if (source instanceof PackageSource.Registry registry
                    && registry.integrity()
                            .filter(known -> !known.equals(integrity))
                            .isPresent()) {
                throw new BadPackage("the registry returned another " + id + " than before");
            }
            var folder = Files.createDirectory(part.resolve("package"));
            PackageArchive.unpack(archive, folder);
            var added = complete(id, source, folder, work, lock);
            FolderTree.discard(work);
            Files.writeString(part.resolve(READY), integrity);
            publish(part, home(group, id, integrity));
            return new InstalledPackage(integrity, added);
        } catch (IOException | UncheckedIOException failure) {
            throw new BadPackage(id + " could not be installed: " + failure.getMessage(), failure);
        } finally {
            discard(part);
        }
    }

    private Optional<String> complete(PackageId id, PackageSource source, Path folder, Path work, Optional<String> lock)
            throws BadPackage, IOException {
        var manifest = PackageManifest.read(folder);
        manifest.checkIs(id);
        if (source instanceof PackageSource.Archive) {
            // Packages of a registry were built before publication.
            manifest.checkForkedEntries(folder);
        }
        if (!manifest.dependencies().isEmpty() && !Files.isDirectory(folder.resolve(MODULES))) {
            return addDependencies(manifest.dependencies(), folder, work, lock);
        }
        return Optional.empty();
    }

    /** The package manager gets no file of the package: it works in an empty folder on a generated manifest. */
    private Optional<String> addDependencies(Dependencies wanted, Path folder, Path work, Optional<String> lock)
            throws BadPackage, IOException {
        wanted.check();
        var known = lock.map(Json::trusted);
        packages.install(wanted, known, work, DEPENDENCIES_MS_MAX);
        isolation.takeBack(work);
        var modules = work.resolve(MODULES);
        if (!Files.isDirectory(modules, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        var installed = lock(modules.resolve(".package-lock.json"));
        Dependencies.checkInstalled(installed);
        if (known.isPresent()) {
            Dependencies.checkSame(known.get(), installed);
        }
        checkPlain(modules);
        Files.move(modules, folder.resolve(MODULES), StandardCopyOption.ATOMIC_MOVE);
        return Optional.of(Json.text(installed));
    }

    private static JsonNode lock(Path file) throws BadPackage, IOException {
        try {
            return Json.parse(Files.readAllBytes(file));
        } catch (JsonProcessingException malformed) {
            throw new BadPackage("the package manager does not report the installed packages", malformed);
        }
    }

    private static void checkPlain(Path tree) throws BadPackage, IOException {
        try (var paths = Files.walk(tree)) {
            for (var path : (Iterable<Path>) paths::iterator) {
                if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                        && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    throw new BadPackage("a dependency of the package has a link or a special file");
                }
            }
        }
    }

    /** Downloads the archive and verifies it against the registry's integrity. */
    private byte[] fetched(PackageId id, Path work) throws BadPackage, IOException {
        var told = packages.pack(id.toString(), work, FETCH_MS_MAX);
        isolation.takeBack(work);
        try {
            var packed = Json.parse(told).path(0);
            var file = work.resolve(Path.of(packed.path("filename").asText()).getFileName());
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new BadPackage("the package manager fetched no archive of " + id);
            }
            var archive = PackageArchive.read(file);
            if (!PackageArchive.integrity(archive)
                    .equals(packed.path("integrity").asText())) {
                throw new BadPackage("the archive of " + id + " does not have the checksum of the registry");
            }
            return archive;
        } catch (JsonProcessingException malformed) {
            throw new BadPackage("the package manager does not report the fetched packages", malformed);
        }
    }

    /** A concurrent installer may have finished first: both folders are complete, and the first one is kept. */
    private static void publish(Path part, Path target) throws IOException {
        Files.createDirectories(target.getParent());
        try {
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException taken) {
            if (!Files.exists(target.resolve(READY))) {
                throw taken;
            }
        }
    }

    void remove(String group, PackageId id, String integrity) {
        FolderTree.discard(home(group, id, integrity));
    }

    /** Removes what an installation has left; it does not replace the result of the installation. */
    private static void discard(Path part) {
        try {
            FolderTree.discard(part);
        } catch (UncheckedIOException left) {
            LOG.warn("cannot remove {}, left by an installation: {}", part, left.getMessage());
        }
    }
}
