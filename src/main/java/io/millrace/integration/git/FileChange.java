package io.millrace.integration.git;

import io.vertx.core.buffer.Buffer;
import java.util.regex.Pattern;

/** Change of one file of a project's folder in a commit. Names are plain: they cannot contain a path that leaves the folder. */
public sealed interface FileChange {
    Pattern NAME = Pattern.compile("[A-Za-z0-9_%-][A-Za-z0-9_%.-]{0,239}");

    String folder();

    /** Name of the file without a label: {@code <id>.json}. */
    String name();

    /**
     * Checks whether a file of the repository is the file of this change: with this name, or with a label and a dot
     * before it.
     */
    default boolean isOf(String file) {
        return file.equals(name())
                || file.endsWith("." + name()) && NAME.matcher(file).matches();
    }

    /**
     * Writes a file. An existing one keeps its name, so that its history continues when the label changes.
     *
     * @param label readable beginning of the name of a new file; empty for none
     */
    record Put(String folder, String label, String name, Buffer content) implements FileChange {
        public Put {
            check(folder, name);
            check(folder, labelled(label, name));
        }

        Put(String folder, String name, Buffer content) {
            this(folder, "", name, content);
        }

        String fileName() {
            return labelled(label, name);
        }
    }

    /** Removes a file with any label; has no effect if it does not exist. */
    record Remove(String folder, String name) implements FileChange {
        public Remove {
            check(folder, name);
        }
    }

    private static String labelled(String label, String name) {
        return label.isEmpty() ? name : label + "." + name;
    }

    private static void check(String folder, String name) {
        if (!NAME.matcher(folder).matches() || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("expected plain names, found " + folder + "/" + name);
        }
    }
}
