package io.millrace.sandbox.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that a user may access files without further grants, by the permissions of the files and of all parent directories.
 *
 * @param group only group of the user
 */
record FileAccessCheck(int user, int group) {
    private static final int EXECUTE = 1;
    private static final int READ = 4;

    FileAccessCheck(int user) {
        this(user, user);
    }

    /** The first of the files that the user cannot read. */
    Optional<Path> firstClosed(FileGrants grants) {
        return Stream.of(grants.read(), grants.run(), grants.write())
                .flatMap(List::stream)
                .filter(path -> !isReadable(path))
                .findFirst();
    }

    boolean passes(Path directory) {
        try {
            for (var above = directory.toRealPath(); above != null; above = above.getParent()) {
                if (!has(above, EXECUTE)) {
                    return false;
                }
            }
            return true;
        } catch (IOException vanished) {
            return false;
        }
    }

    private boolean isReadable(Path path) {
        try {
            if (!Files.exists(path)) {
                return true;
            }
            var real = path.toRealPath();
            return (real.getParent() == null || passes(real.getParent()))
                    && has(real, Files.isDirectory(real) ? READ | EXECUTE : READ);
        } catch (IOException vanished) {
            return false;
        }
    }

    private boolean has(Path path, int wanted) throws IOException {
        var attributes = Files.readAttributes(path, "unix:mode,uid,gid");
        var mode = (Integer) attributes.get("mode");
        var shift = user == (Integer) attributes.get("uid") ? 6 : group == (Integer) attributes.get("gid") ? 3 : 0;
        return (mode >> shift & wanted) == wanted;
    }
}
