package pack;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/**
 * Reduces the shaded jar (decision 0419): libraries that only some processes load become one compressed archive each
 * ({@code libraries/NAME.jar.xz}), files that no process reads are left out, and the database is packed without what it cannot use.
 * Equal input makes equal output.
 */
final class PackServer {
    /** Small enough for the memory of a container that unpacks it. */
    private static final int DICTIONARY_BYTES = 8 << 20;

    private static final int PRESET = 3;

    /** Bound of the packed file, so that it does not grow unnoticed. */
    private static final long BYTES_MAX = 95_000_000;

    private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

    private static final String POSTGRES = "postgres-linux-";

    private final ZipFile jar;
    private final Path scratch;

    private PackServer(ZipFile jar, Path scratch) {
        this.jar = jar;
        this.scratch = scratch;
    }

    public static void main(String[] arguments) throws IOException {
        var file = Path.of(arguments[0]);
        var scratch = Files.createDirectories(Path.of(arguments[1]));
        var packed = scratch.resolve("millrace.jar");
        try (var jar = new ZipFile(file.toFile())) {
            if (jar.getEntry(Library.FOLDER) != null) {
                return;
            }
            new PackServer(jar, scratch).write(packed);
        }
        if (Files.size(packed) > BYTES_MAX) {
            throw new IOException(packed + " has " + Files.size(packed) + " bytes, expected at most " + BYTES_MAX
                    + ": see what a new library adds, or raise the bound in PackServer with a decision record");
        }
        Files.move(packed, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private void write(Path packed) throws IOException {
        try (var out = new ZipOutputStream(Files.newOutputStream(packed))) {
            out.setLevel(Deflater.BEST_COMPRESSION);
            for (var entry : entries()) {
                if (Library.of(entry.getName()).isEmpty() && !Unused.is(entry.getName())) {
                    copy(entry, out);
                }
            }
            out.putNextEntry(entry(Library.FOLDER));
            out.closeEntry();
            for (var library : Library.values()) {
                add(library, out);
            }
        }
    }

    private List<? extends ZipEntry> entries() {
        return jar.stream().toList();
    }

    private void copy(ZipEntry entry, ZipOutputStream out) throws IOException {
        out.putNextEntry(entry(entry.getName()));
        try (var in = jar.getInputStream(entry)) {
            if (entry.getName().startsWith(POSTGRES)) {
                new PostgresArchive(in).write(xz(out));
            } else {
                in.transferTo(out);
            }
        }
        out.closeEntry();
    }

    private void add(Library library, ZipOutputStream out) throws IOException {
        var unpacked = scratch.resolve(library.fileName() + ".jar");
        unpacked(library, unpacked);
        out.putNextEntry(entry(Library.FOLDER + library.fileName() + ".txt"));
        var name = library.fileName() + "-" + hash(unpacked) + ".jar " + Files.size(unpacked) + "\n";
        out.write(name.getBytes(StandardCharsets.US_ASCII));
        out.closeEntry();
        // Compressed already: a second method would only take time.
        out.setLevel(Deflater.NO_COMPRESSION);
        out.putNextEntry(entry(Library.FOLDER + library.fileName() + ".jar.xz"));
        var archive = xz(out);
        Files.copy(unpacked, archive);
        archive.finish();
        out.closeEntry();
        out.setLevel(Deflater.BEST_COMPRESSION);
        Files.delete(unpacked);
    }

    /** Writes a jar of stored entries: what is alike in them is then found by the one compression of all. */
    private void unpacked(Library library, Path file) throws IOException {
        var entries = new ArrayList<ZipEntry>();
        for (var entry : entries()) {
            if (!entry.isDirectory()
                    && Library.of(entry.getName()).filter(library::equals).isPresent()
                    && !Unused.is(entry.getName())) {
                entries.add(entry);
            }
        }
        entries.sort(Comparator.comparing((ZipEntry entry) -> kind(entry.getName())).thenComparing(ZipEntry::getName));
        try (var out = new ZipOutputStream(Files.newOutputStream(file))) {
            out.setMethod(ZipOutputStream.STORED);
            store("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMulti-Release: true\n\n".getBytes(StandardCharsets.US_ASCII), out);
            for (var entry : entries) {
                try (var in = jar.getInputStream(entry)) {
                    store(entry.getName(), in.readAllBytes(), out);
                }
            }
        }
    }

    private static String kind(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static void store(String name, byte[] bytes, ZipOutputStream out) throws IOException {
        var sum = new CRC32();
        sum.update(bytes);
        var entry = entry(name);
        entry.setSize(bytes.length);
        entry.setCompressedSize(bytes.length);
        entry.setCrc(sum.getValue());
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }

    private static ZipEntry entry(String name) {
        var entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        return entry;
    }

    private static XZOutputStream xz(OutputStream out) throws IOException {
        var options = new LZMA2Options(PRESET);
        options.setDictSize(DICTIONARY_BYTES);
        return new XZOutputStream(out, options);
    }

    private static String hash(Path file) throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
