package io.millrace.piece.npm;

import io.millrace.sandbox.npm.BadPackage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** A package as a {@code .tgz}: untrusted input (contract pieces 13.2). */
final class PackageArchive {
    private static final String ROOT = "package/";
    private static final long BYTES_MAX = 64L << 20;
    private static final int ENTRIES_MAX = 20_000;

    /** Limit on the headers of one entry: name and metadata, with the padding of the previous entry. */
    private static final long HEAD_BYTES_MAX = 1L << 20;

    /** Files that would redirect a package manager to other sources or scripts; ignored in every folder. */
    private static final Set<String> IGNORED = Set.of(
            ".npmrc",
            ".yarnrc",
            ".yarnrc.yml",
            ".pnp.cjs",
            ".pnpmfile.cjs",
            ".gitmodules",
            "binding.gyp",
            "npm-shrinkwrap.json",
            "package-lock.json",
            "pnpm-lock.yaml",
            "pnpm-workspace.yaml",
            "yarn.lock");

    /** File systems of Linux refuse a longer name. */
    private static final int FILE_NAME_LENGTH_MAX = 255;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private PackageArchive() {}

    /** The {@code sha512-} text of a package manager for these bytes. */
    static String integrity(byte[] archive) {
        try {
            var hash = MessageDigest.getInstance("SHA-512").digest(archive);
            return "sha512-" + Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-512", impossible);
        }
    }

    static byte[] read(Path archive) throws BadPackage, IOException {
        try (var in = Files.newInputStream(archive, LinkOption.NOFOLLOW_LINKS)) {
            var content = in.readNBytes((int) BYTES_MAX + 1);
            if (content.length > BYTES_MAX) {
                throw new BadPackage("expected an archive of at most " + (BYTES_MAX >> 20) + " MB");
            }
            return content;
        }
    }

    static void unpack(byte[] archive, Path folder) throws BadPackage {
        try (var inflated = new InflatedArchive(new ByteArrayInputStream(archive));
                var tar = new TarArchiveInputStream(inflated)) {
            var left = BYTES_MAX;
            var entries = 0;
            inflated.allow(HEAD_BYTES_MAX);
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                entries++;
                if (entries > ENTRIES_MAX) {
                    throw new BadPackage("expected an archive of at most " + ENTRIES_MAX + " entries");
                }
                inflated.allow(Long.MAX_VALUE);
                left -= unpack(entry, tar, folder, left);
                inflated.allow(HEAD_BYTES_MAX);
            }
        } catch (IOException unreadable) {
            throw new BadPackage("the archive is not a readable .tgz: " + unreadable.getMessage(), unreadable);
        }
        if (!Files.isRegularFile(folder.resolve("package.json"))) {
            throw new BadPackage("the archive has no package/package.json");
        }
    }

    private static long unpack(TarArchiveEntry entry, InputStream content, Path folder, long bytesMax)
            throws IOException, BadPackage {
        var name = normalized(entry.getName());
        if (!isPlain(entry)) {
            throw new BadPackage("the archive has a link or a special file");
        }
        if (entry.isDirectory() || !name.startsWith(ROOT) || isIgnored(name)) {
            return copy(content, OutputStream.nullOutputStream(), bytesMax);
        }
        var file = folder.resolve(name.substring(ROOT.length()));
        Files.createDirectories(file.getParent());
        try (var out = Files.newOutputStream(file)) {
            return copy(content, out, bytesMax);
        }
    }

    /** The library classifies every unknown entry type as a file. */
    private static boolean isPlain(TarArchiveEntry entry) {
        var isSpecial = entry.isLink()
                || entry.isSymbolicLink()
                || entry.isFIFO()
                || entry.isCharacterDevice()
                || entry.isBlockDevice();
        return !isSpecial && (entry.isFile() || entry.isDirectory());
    }

    /** Canonical form of a name; checks and writes use the same form. */
    private static String normalized(String name) throws BadPackage {
        var parts = Stream.of(name.split("/", -1))
                .filter(part -> !part.isEmpty() && !part.equals("."))
                .toList();
        if (name.startsWith("/") || name.contains("\\") || parts.contains("..")) {
            throw new BadPackage("the archive has an entry outside of its folder");
        }
        if (CONTROL.matcher(name).find()) {
            throw new BadPackage("the archive has an entry with a control character in its name");
        }
        return String.join("/", parts);
    }

    /** Compares names like a file system that ignores case and Unicode normalization. */
    private static boolean isIgnored(String name) {
        var file = name.substring(name.lastIndexOf('/') + 1);
        return file.length() <= FILE_NAME_LENGTH_MAX
                && IGNORED.contains(Normalizer.normalize(file, Normalizer.Form.NFKC)
                        .toLowerCase(Locale.ROOT)
                        .strip());
    }

    private static long copy(InputStream content, OutputStream out, long bytesMax) throws IOException, BadPackage {
        var buffer = new byte[8192];
        var total = 0L;
        for (var length = content.read(buffer); length >= 0; length = content.read(buffer)) {
            total += length;
            if (total > bytesMax) {
                throw new BadPackage("expected an archive of at most " + (BYTES_MAX >> 20) + " MB unpacked");
            }
            out.write(buffer, 0, length);
        }
        return total;
    }
}
