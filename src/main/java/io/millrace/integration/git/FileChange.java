package io.millrace.integration.git;

import io.vertx.core.buffer.Buffer;
import java.util.regex.Pattern;

/** What a commit does to one file of a project's folder. Names are plain: nothing in them leads elsewhere. */
public sealed interface FileChange {
    /** What a folder or a file may be called. */
    Pattern NAME = Pattern.compile("[A-Za-z0-9_%-][A-Za-z0-9_%.-]{0,239}");

    String folder();

    String name();

    /** Writes a file, new or not. */
    record Put(String folder, String name, Buffer content) implements FileChange {
        public Put {
            check(folder, name);
        }
    }

    /** Removes a file; nothing happens when there is none. */
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
