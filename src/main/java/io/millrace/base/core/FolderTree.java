package io.millrace.base.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/** Removal of folders with all their files. Links are removed, not followed. */
public final class FolderTree {
    private FolderTree() {}

    /** Deletes a folder tree of any depth, or the file or link in its place; does nothing if there is none. Blocks. */
    public static void remove(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                new Removal(folder).run();
            } else {
                Files.deleteIfExists(folder);
            }
        } catch (IOException | DirectoryIteratorException left) {
            throw new IOException("the folder " + folder + " could not be removed", left);
        }
    }

    /** Deletes like {@link #remove}, but fails with an unchecked exception. */
    public static void discard(Path folder) {
        try {
            remove(folder);
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }

    /** Moves nested folders up before it deletes their content, because paths of a tree can be longer than the kernel accepts. */
    private static final class Removal {
        private static final String MOVED = ".removed-";
        private final Path root;
        private final Deque<Path> folders = new ArrayDeque<>();

        Removal(Path root) {
            this.root = root;
        }

        void run() throws IOException {
            folders.add(root);
            var empty = new ArrayDeque<Path>();
            while (!folders.isEmpty()) {
                var folder = folders.removeLast();
                clear(folder);
                empty.addFirst(folder);
            }
            for (var folder : empty) {
                Files.deleteIfExists(folder);
            }
        }

        private void clear(Path folder) throws IOException {
            // The process that owns it may have removed its permissions.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            try (var entries = Files.newDirectoryStream(folder)) {
                for (var entry : entries) {
                    if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                        Files.deleteIfExists(entry);
                    } else if (folder.equals(root)) {
                        folders.add(entry);
                    } else {
                        folders.add(Files.move(entry, root.resolve(MOVED + UUID.randomUUID())));
                    }
                }
            }
        }
    }
}
