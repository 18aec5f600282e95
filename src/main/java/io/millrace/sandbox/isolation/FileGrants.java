package io.millrace.sandbox.isolation;

import java.nio.file.Path;
import java.util.List;

/**
 * Files that a process may use besides those of the operating system. A directory includes everything in it.
 *
 * @param read paths that it may read
 * @param run paths that it may read and execute
 * @param write paths with full access
 */
public record FileGrants(List<Path> read, List<Path> run, List<Path> write) {
    /** Requires absolute paths: the process may have any working directory. */
    public FileGrants {
        read = absolute(read);
        run = absolute(run);
        write = absolute(write);
    }

    private static List<Path> absolute(List<Path> paths) {
        return paths.stream().map(Path::toAbsolutePath).toList();
    }
}
