package io.millrace.sandbox.program;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.FolderTree;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.NativePackages;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.UUID;

/** Files of programs in use, one folder for each project; the database is the permanent store. */
public final class ProgramFiles {
    private static final long CHARACTERS_MAX = 32L << 20;
    private static final Duration UNUSED_KEPT_FOR = Duration.ofHours(6);

    private final Vertx vertx;
    private final Isolation isolation;
    private final ProcessPurpose purpose;
    private final Path root;
    private final String fileName;
    private final NativeSource natives;

    /** Hashes by the text itself, whose hash code the virtual machine caches: a program is hashed once, not at each call. */
    private final Cache<String, String> hashes = Caches.counted("code.hashes")
            .maximumWeight(CHARACTERS_MAX)
            .weigher((String javaScript, String _) -> javaScript.length() + 1)
            .expireAfterAccess(UNUSED_KEPT_FOR)
            .build();

    @FunctionalInterface
    public interface NativeSource {
        Future<Buffer> files(NativePackages packages);
    }

    private ProgramFiles(
            Vertx vertx,
            Isolation isolation,
            ProcessPurpose purpose,
            Path root,
            String fileName,
            NativeSource natives) {
        this.vertx = vertx;
        this.isolation = isolation;
        this.purpose = purpose;
        this.root = root.toAbsolutePath();
        this.fileName = fileName;
        this.natives = natives;
    }

    public static ProgramFiles ofNode(Vertx vertx, Isolation isolation, Path root, NativeSource natives) {
        return new ProgramFiles(vertx, isolation, ProcessPurpose.PIECE, root, "code.js", natives);
    }

    public static ProgramFiles ofPython(Vertx vertx, Isolation isolation, Path root) {
        return new ProgramFiles(
                vertx,
                isolation,
                ProcessPurpose.PYTHON,
                root,
                "code.py",
                packages -> Future.failedFuture(new IllegalStateException("no files of " + packages)));
    }

    Path folderOf(String project) {
        return root.resolve(project);
    }

    Future<Path> of(CodeCall call) {
        return call.program()
                .nativePackages()
                .map(packages -> fileBeside(call, packages))
                .orElseGet(() -> vertx.executeBlocking(() -> plainFile(call), false));
    }

    /** Path of the program and its native packages, which are written as one folder if missing. */
    private Future<Path> fileBeside(CodeCall call, NativePackages packages) {
        var folder = root.resolve(call.key()).resolve(packages.hash());
        var file = folder.resolve(fileName);
        return vertx.executeBlocking(() -> Files.exists(file), false)
                .compose(isThere -> isThere
                        ? Future.succeededFuture(file)
                        : natives.files(packages)
                                .compose(files -> vertx.executeBlocking(
                                        () -> {
                                            write(folder, call.program().javaScript(), files.getBytes());
                                            return file;
                                        },
                                        false)));
    }

    private void write(Path folder, String javaScript, byte[] packed) throws IOException {
        isolation.open(purpose, root);
        isolation.open(purpose, folder.getParent());
        var part = folder.resolveSibling(UUID.randomUUID() + ".part");
        Files.createDirectories(part);
        try {
            NativeFiles.unpack(packed, part.resolve(CodePackages.MODULES));
            Files.writeString(part.resolve(fileName), javaScript);
            isolation.takeBack(part);
            Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException taken) {
            // Another call may have been faster: both folders are complete.
            if (!Files.exists(folder.resolve(fileName))) {
                throw taken;
            }
        } finally {
            FolderTree.remove(part);
        }
    }

    private Path plainFile(CodeCall call) throws IOException {
        var hash = hashes.get(call.program().javaScript(), ProgramKey::hash);
        var project = root.resolve(call.key());
        var file = project.resolve(hash).resolve(fileName);
        if (!Files.exists(file)) {
            isolation.open(purpose, root);
            isolation.open(purpose, project);
            Files.createDirectories(file.getParent());
            var part = file.resolveSibling(UUID.randomUUID() + ".part");
            Files.writeString(part, call.program().javaScript());
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            isolation.takeBack(file.getParent());
        }
        return file;
    }
}
