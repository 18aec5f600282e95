package io.millrace.sandbox.program;

import io.millrace.sandbox.npm.BadPackage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Packs a program's native packages into one archive and unpacks it. Blocks. */
final class NativeFiles {
    private NativeFiles() {}

    /**
     * Packs a tree of plain files.
     *
     * @param bytesMax largest archive
     */
    static byte[] pack(Path tree, long bytesMax) throws BadPackage, IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes);
                var paths = Files.walk(tree)) {
            for (var path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
                zip.putNextEntry(new ZipEntry(tree.relativize(path).toString()));
                Files.copy(path, zip);
                zip.closeEntry();
                if (bytes.size() > bytesMax) {
                    throw new BadPackage("npm packages with native code are too large: expected at most " + bytesMax
                            + " bytes when they are packed (AP_CODE_PROGRAM_MAX_MB)");
                }
            }
        }
        return bytes.toByteArray();
    }

    static void unpack(byte[] archive, Path folder) throws IOException {
        try (var zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                var file = folder.resolve(entry.getName()).normalize();
                if (!file.startsWith(folder)) {
                    throw new IOException("a packed file lies outside of its folder");
                }
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
    }
}
