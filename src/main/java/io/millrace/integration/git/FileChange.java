package io.millrace.integration.git;

import io.vertx.core.buffer.Buffer;
import java.util.regex.Pattern;

/** Change of one file of a project's folder in a commit. Names are plain: they cannot contain a path that leaves the folder. */
public sealed interface FileChange {
    /** Valid names of folders and files. */
    Pattern NAME = Pattern.compile("[A-Za-z0-9_%-][A-Za-z0-9_%.-]{0,239}");

    String folder();

    String name();

    /** Writes a file, new or not. */
    record Put(String folder, String name, Buffer content) implements FileChange {
        public Put {
            check(folder, name);
        }
    }

    /** Removes a file; has no effect if it does not exist. */
    record Remove(String folder, String name) implements FileChange {
        public Remove {
            check(folder, name);
        }
    }

    private static void check(String folder, String name) {
        if (!NAME.matcher(folder).matches() || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("expected plain names, found " + folder + "/" + name);
        }
    }
}
