package io.millrace.sandbox.node.call;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Scripts of hosts in the jar, unpacked before the first process needs them. */
public final class HostScript {
    public static final String MAIN = "host.js";

    /** Script that the package manager loads before its own code. */
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
            "leases.js",
            "sessions.js",
            "processes.js",
            "operations.js");

    /** Scripts that the embedded engine uses, too. */
    private static final String SHARED_FOLDER = "io/millrace/sandbox/code/worker";

    private static final List<String> SHARED_FILES = List.of("losses.js");

    private HostScript() {}

    public static void unpack(Path folder) throws IOException {
        unpack(folder, "node", FILES);
        unpack(folder, SHARED_FOLDER, SHARED_FILES);
    }

    /** Writes the files of a resource folder into the folder, unless they are there unchanged. */
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

    /** Replaces the file atomically, because a process may be reading it. */
    private static void replace(Path file, byte[] bytes) throws IOException {
        if (Files.isRegularFile(file) && Arrays.equals(Files.readAllBytes(file), bytes)) {
            return;
        }
        var part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
        Files.write(part, bytes);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
