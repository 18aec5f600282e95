package io.millrace.sandbox.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directory of files that processes of other accounts read: scripts, programs, packages, exchange folders. It is the data directory
 * if the accounts can traverse it; otherwise, as below {@code /root}, it is a separate directory of root, because no process gets a
 * capability to bypass permissions. Blocks.
 */
public final class SandboxBase {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxBase.class);
    private static final List<Path> PARENTS = List.of(Path.of("/var/lib"), Path.of("/var/tmp"));
    private static final String PERMISSIONS = "rwx--x--x";
    private static final int ROOT = 0;
    private static final int WRITABLE_BY_OTHERS = 022;
    private static final int STICKY = 01000;
    private static final int HASH_BYTES = 8;

    private SandboxBase() {}

    /** Base for a data directory, always the same one. */
    public static Path choose(Path data, List<Integer> users) throws IOException {
        return choose(data, users, PARENTS);
    }

    static Path choose(Path data, List<Integer> users, List<Path> parents) throws IOException {
        var own = Files.createDirectories(data.toAbsolutePath()).toRealPath();
        if (uid(Path.of("/proc/self")) != ROOT || isOpen(own, users)) {
            return data;
        }
        for (var parent : parents) {
            var candidate = parent.resolve("millrace-" + hash(own.toString()));
            if (isTrusted(parent) && isMade(candidate) && isOpen(candidate, users)) {
                LOG.info("files for processes of code are in {}: accounts {} cannot enter {}", candidate, users, own);
                return candidate;
            }
        }
        LOG.warn(
                "processes of code run as root without its capabilities: accounts {} cannot enter {}, and there is no"
                        + " directory for their files in {}; allow access to the parent directories of the data (chmod o+x)",
                users,
                own,
                parents);
        return data;
    }

    /** Copies the files of packages, which never change, from the data directory to another base, once. */
    public static void adopt(Path data, Path base, String name) throws IOException {
        var from = data.resolve(name);
        var to = base.resolve(name);
        if (data.equals(base) || !Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS) || Files.exists(to)) {
            return;
        }
        var part = base.resolve("part-" + UUID.randomUUID());
        try (var paths = Files.walk(from)) {
            for (var path : (Iterable<Path>) paths::iterator) {
                var target = part.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectories(target);
                    Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(path));
                    Files.setAttribute(target, "unix:gid", Files.getAttribute(path, "unix:gid"));
                } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        Files.move(part, to);
        LOG.info("copied {} to {}", from, to);
    }

    private static boolean isOpen(Path directory, List<Integer> users) {
        return users.stream().allMatch(user -> new FileAccessCheck(user).passes(directory));
    }

    /** True if only root can replace a directory below it. */
    private static boolean isTrusted(Path parent) throws IOException {
        if (!Files.isDirectory(parent)) {
            return false;
        }
        for (var above = parent.toRealPath(); above != null; above = above.getParent()) {
            var mode = mode(above);
            if (uid(above) != ROOT || (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Creates the directory. In a world-writable parent, a directory of another owner or a link may exist already; it is
     * left alone.
     */
    private static boolean isMade(Path candidate) {
        try {
            Files.createDirectory(
                    candidate, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PERMISSIONS)));
        } catch (FileAlreadyExistsException kept) {
            LOG.debug("{} exists already", candidate);
        } catch (IOException impossible) {
            LOG.debug("{} cannot be created", candidate, impossible);
            return false;
        }
        try {
            if (!Files.isDirectory(candidate, LinkOption.NOFOLLOW_LINKS)
                    || uid(candidate) != ROOT
                    || (mode(candidate) & WRITABLE_BY_OTHERS) != 0) {
                LOG.warn(
                        "{} is not used for processes of code: expected a directory that only root can change",
                        candidate);
                return false;
            }
            Files.setPosixFilePermissions(candidate, PosixFilePermissions.fromString(PERMISSIONS));
            return true;
        } catch (IOException unreadable) {
            LOG.debug("{} cannot be examined", candidate, unreadable);
            return false;
        }
    }

    private static int uid(Path path) throws IOException {
        return path.startsWith("/proc")
                ? (Integer) Files.getAttribute(path, "unix:uid")
                : (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }

    private static String hash(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
