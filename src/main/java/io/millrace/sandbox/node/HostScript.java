package io.millrace.sandbox.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** Scripts of hosts as they travel inside the jar, unpacked before a process first needs them. */
public final class HostScript {
    static final String MAIN = "host.js";

    /** Loaded by the package manager before its own code. */
    public static final String INSTALL = "install.js";

    private static final List<String> FILES = List.of(
            MAIN,
            INSTALL,
            "frames.js",
            "code.js",
            "errors.js",
            "pieces.js",
            "contexts.js",
            "files.js",
            "network.js",
            "channel.js",
            "names.js",
            "refusals.js",
            "handles.js",
            "processes.js",
            "operations.js");

    private HostScript() {}

    /** Puts the scripts of Node.js into the folder. */
    public static void unpack(Path folder) throws IOException {
        unpack(folder, "node", FILES);
    }

    /** Puts files of a resource folder into the folder, those that differ from what is there. */
    public static void unpack(Path folder, String resources, List<String> names) throws IOException {
        Files.createDirectories(folder);
        for (var name : names) {
            try (InputStream packed = HostScript.class.getResourceAsStream("/" + resources + "/" + name)) {
                if (packed == null) {
                    throw new IOException("this build has no " + resources + "/" + name);
                }
                replace(folder.resolve(name), packed.readAllBytes());
            }
        }
    }

    /** A process may be reading the file at this moment: it is replaced whole. */
    private static void replace(Path file, byte[] bytes) throws IOException {
        if (Files.isRegularFile(file) && Arrays.equals(Files.readAllBytes(file), bytes)) {
            return;
        }
        var part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
        Files.write(part, bytes);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Removes a folder with all that is in it; nothing happens when there is none. */
    public static void removeTree(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }
}
