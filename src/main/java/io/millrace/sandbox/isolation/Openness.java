package io.millrace.sandbox.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a user may reach files without help, by the permissions of the files and of all directories above them. */
record Openness(int user) {
    private static final int EXECUTE = 1;
    private static final int READ = 4;

    boolean allows(FileGrants grants) {
        return grants.read().stream().allMatch(path -> isReadable(path))
                && grants.run().stream().allMatch(path -> isReadable(path))
                && grants.write().stream().allMatch(path -> isReadable(path));
    }

    private boolean isReadable(Path path) {
        try {
            if (!Files.exists(path)) {
                return true;
            }
            var real = path.toRealPath();
            for (var above = real.getParent(); above != null; above = above.getParent()) {
                if (!has(above, EXECUTE)) {
                    return false;
                }
            }
            return has(real, Files.isDirectory(real) ? READ | EXECUTE : READ);
        } catch (IOException vanished) {
            return false;
        }
    }

    private boolean has(Path path, int wanted) throws IOException {
        var attributes = Files.readAttributes(path, "unix:mode,uid,gid");
        var mode = (Integer) attributes.get("mode");
        var shift = user == (Integer) attributes.get("uid") ? 6 : user == (Integer) attributes.get("gid") ? 3 : 0;
        return (mode >> shift & wanted) == wanted;
    }
}
