package io.millrace.sandbox.node.call;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
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

    /** Writes the scripts of Node.js into the folder. */
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

    /** Deletes a folder tree of any depth; does nothing if there is none. */
    public static void removeTree(Path folder) {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            new Removal(folder).run();
        } catch (IOException | DirectoryIteratorException left) {
            throw new UncheckedIOException(new IOException("the folder " + folder + " could not be removed", left));
        }
    }

    /** Moves nested folders up before it deletes their content, because paths of a tree can be longer than the kernel accepts. */
    private static final class Removal {
        private static final String MOVED = ".removed-";
        private final Path root;
        private final Deque<Path> folders = new ArrayDeque<>();

        Removal(Path root) {
            this.root = root;
        }

        void run() throws IOException {
            folders.add(root);
            var empty = new ArrayDeque<Path>();
            while (!folders.isEmpty()) {
                var folder = folders.removeLast();
                clear(folder);
                empty.addFirst(folder);
            }
            for (var folder : empty) {
                Files.deleteIfExists(folder);
            }
        }

        private void clear(Path folder) throws IOException {
            // The process that owns it may have removed its permissions.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            try (var entries = Files.newDirectoryStream(folder)) {
                for (var entry : entries) {
                    if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                        Files.deleteIfExists(entry);
                    } else if (folder.equals(root)) {
                        folders.add(entry);
                    } else {
                        folders.add(Files.move(entry, root.resolve(MOVED + UUID.randomUUID())));
                    }
                }
            }
        }
    }
}
