package io.millrace.sandbox.node.watch;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Deleted files that a process holds open or mapped: they take disk or memory until the process ends and are in no folder (decision
 * 0366).
 *
 * @param bytes disk or memory that the files take; {@link Long#MAX_VALUE} if it is unknown
 */
record HeldFiles(long bytes) {
    static final HeldFiles NONE = new HeldFiles(0);

    /** For a process whose files cannot be counted. */
    static final HeldFiles UNCOUNTABLE = new HeldFiles(Long.MAX_VALUE / 2);

    private static final Path PROCESSES = Path.of("/proc");
    private static final String WITHOUT_NAME = " (deleted)";
    private static final int MAPPINGS_MAX = 30_000;
    private static final int INODE_FIELD = 4;

    /** True if the kernel shows this server the open files of the process; checked before untrusted code runs in it. Blocks. */
    static boolean areTold(long pid) {
        try (var open = Files.newDirectoryStream(descriptors(pid))) {
            return FileStatus.isAvailable() && open.iterator().hasNext();
        } catch (IOException | DirectoryIteratorException refused) {
            return false;
        }
    }

    /** Deleted files that are open. Blocks. */
    static HeldFiles open(long pid) {
        return count(pid, new HashSet<>());
    }

    /**
     * Deleted files that are open or mapped. Blocks for about a millisecond.
     *
     * @param folder in which the process can create files
     */
    static HeldFiles all(long pid, Path folder) {
        var inodes = new HashSet<Long>();
        var open = count(pid, inodes);
        return isMappedAlone(pid, folder, inodes) ? UNCOUNTABLE : open;
    }

    /** Files beyond the bytes that were held before. */
    HeldFiles beyond(long before) {
        return new HeldFiles(Math.max(0, bytes - before));
    }

    private static HeldFiles count(long pid, Set<Long> inodes) {
        var seen = new HashSet<FileStatus>();
        var bytes = 0L;
        try (var open = Files.newDirectoryStream(descriptors(pid))) {
            for (var descriptor : open) {
                var answer = FileStatus.ofTarget(descriptor.toString());
                if (answer.absence().filter(FileStatus.Absence.REFUSED::equals).isPresent()) {
                    return UNCOUNTABLE;
                }
                var file =
                        answer.status().filter(status -> status.kind() == FileStatus.Kind.FILE && status.links() == 0);
                if (file.isPresent() && seen.add(file.get())) {
                    inodes.add(file.get().inode());
                    bytes += file.get().bytes();
                }
            }
            return new HeldFiles(bytes);
        } catch (AccessDeniedException hidden) {
            return UNCOUNTABLE;
        } catch (IOException | DirectoryIteratorException ended) {
            return NONE;
        }
    }

    /**
     * True if a deleted file of the folder is mapped but not open: its length is unknown. Also true if the mappings cannot be
     * checked.
     */
    private static boolean isMappedAlone(long pid, Path folder, Set<Long> open) {
        var place = folder + "/";
        var lines = 0;
        try (var mappings = new BufferedReader(Files.newBufferedReader(
                PROCESSES.resolve(Long.toString(pid)).resolve("maps"), StandardCharsets.ISO_8859_1))) {
            for (var line = mappings.readLine(); line != null; line = mappings.readLine()) {
                lines++;
                if (lines > MAPPINGS_MAX
                        || line.endsWith(WITHOUT_NAME) && line.contains(place) && !open.contains(inode(line))) {
                    return true;
                }
            }
            return false;
        } catch (AccessDeniedException hidden) {
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    private static long inode(String mapping) {
        return Long.parseLong(mapping.split(" +", INODE_FIELD + 2)[INODE_FIELD]);
    }

    private static Path descriptors(long pid) {
        return PROCESSES.resolve(Long.toString(pid)).resolve("fd");
    }
}
