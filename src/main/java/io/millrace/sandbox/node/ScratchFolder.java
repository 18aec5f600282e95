package io.millrace.sandbox.node;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The folder that a process may write to, held against its quota. What cannot be counted is over it: a folder that its
 * owner has closed, or one with more entries than are counted. Blocks.
 *
 * @param bytesMax of all files together, holes in them included
 */
record ScratchFolder(Path path, long bytesMax) {
    private static final int ENTRIES_MAX = 10_000;

    /** Whether its content is more than it may be. */
    boolean isOverQuota() {
        var count = new Count();
        try {
            Files.walkFileTree(path, count);
        } catch (IOException uncounted) {
            return true;
        }
        return count.isOver();
    }

    /** A file that goes while it is counted takes nothing. */
    private final class Count extends SimpleFileVisitor<Path> {
        private long bytes;
        private int entries;

        boolean isOver() {
            return bytes > bytesMax || entries > ENTRIES_MAX;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return counted(0);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return counted(attributes.size());
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        private FileVisitResult counted(long size) {
            bytes += size;
            entries++;
            return isOver() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
        }
    }
}
