package io.millrace.sandbox.isolation;

import java.nio.file.Path;
import java.util.List;

/**
 * Files that a process may use beside those of the operating system. A directory stands for all that is in it.
 *
 * @param read it may read
 * @param run it may read and execute
 * @param write it may do everything with
 */
public record FileGrants(List<Path> read, List<Path> run, List<Path> write) {
    /** Absolute paths only: the process may stand anywhere. */
    public FileGrants {
        read = absolute(read);
        run = absolute(run);
        write = absolute(write);
    }

    private static List<Path> absolute(List<Path> paths) {
        return paths.stream().map(Path::toAbsolutePath).toList();
    }
}
