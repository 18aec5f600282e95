package io.millrace.sandbox.node.watch;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.OptionalLong;

/**
 * Quota of the folder that a process may write to (decision 0366). Files that cannot be counted exceed it: a folder that its owner
 * has closed, one with more entries or deeper than is counted, a mapped file that has neither a name nor a descriptor. Blocks.
 *
 * @param bytesMax of all files together, holes in them included, and of the files without a name that the process holds
 * @param entriesMax files and folders
 */
public record ScratchFolder(Path path, long bytesMax, int entriesMax) {
    private static final int ENTRIES_MAX = 10_000;

    /** Deeper folders have paths that cannot be opened, or would each take a descriptor of this server. */
    private static final int DEPTH_MAX = 64;

    private record OpenFolder(Path path, int depth) {}

    public ScratchFolder(Path path, long bytesMax) {
        this(path, bytesMax, ENTRIES_MAX);
    }

    boolean isOverQuota(HeldFiles held) {
        var named = bytesOfNamed();
        return named.isEmpty() || named.getAsLong() + held.bytes() > bytesMax;
    }

    /** Disk space of the named files; empty if it exceeds the quota or cannot be counted. */
    private OptionalLong bytesOfNamed() {
        var folders = new ArrayDeque<OpenFolder>();
        folders.add(new OpenFolder(path, 0));
        var count = new Count();
        while (!folders.isEmpty()) {
            var folder = folders.removeLast();
            if (folder.depth() > DEPTH_MAX || !isCounted(folder, count, folders)) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(count.bytes);
    }

    private boolean isCounted(OpenFolder folder, Count count, ArrayDeque<OpenFolder> folders) {
        try (var entries = Files.newDirectoryStream(folder.path())) {
            for (var entry : entries) {
                if (!count.add(entry)) {
                    return false;
                }
                if (count.isFolder) {
                    folders.add(new OpenFolder(entry, folder.depth() + 1));
                }
            }
            return true;
        } catch (NoSuchFileException | NotDirectoryException gone) {
            // Deleted while it was counted: takes no space.
            return true;
        } catch (IOException | DirectoryIteratorException closed) {
            return false;
        }
    }

    private final class Count {
        private long bytes;
        private int entries;

        private boolean isFolder;

        /** False if the quota is exceeded or the size is unknown. */
        boolean add(Path entry) throws IOException {
            isFolder = false;
            entries++;
            if (FileStatus.isAvailable()) {
                var answer = FileStatus.of(entry);
                answer.status().ifPresent(status -> {
                    bytes += status.bytes();
                    isFolder = status.kind() == FileStatus.Kind.DIRECTORY;
                });
                if (answer.absence().filter(FileStatus.Absence.REFUSED::equals).isPresent()) {
                    return false;
                }
            } else {
                addByAttributes(entry);
            }
            return bytes <= bytesMax && entries <= entriesMax;
        }

        private void addByAttributes(Path entry) throws IOException {
            try {
                var attributes = Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                bytes += attributes.isDirectory() ? 0 : attributes.size();
                isFolder = attributes.isDirectory();
            } catch (NoSuchFileException gone) {
                isFolder = false;
            }
        }
    }
}
