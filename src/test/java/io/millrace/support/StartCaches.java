package io.millrace.support;

import io.millrace.sandbox.code.worker.WorkerMain;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The start caches of a run of the check: archives of loaded classes with which server processes and workers of code start in
 * less than half of the processor time. The JVM makes one only of jars, so the folders of classes are packed first.
 *
 * <p>One test process makes the caches in the background, in the folder that a system property names; each test process takes
 * them once they are there. Without the property, tests run out of the folders of classes and without a cache.
 */
public final class StartCaches implements BeforeAllCallback {
    /** Names the folder; set by {@code scripts/check}, which empties it before. */
    private static final Optional<Path> FOLDER = Optional.ofNullable(System.getProperty("millrace.test.caches"))
            .filter(name -> !name.isBlank())
            .map(name -> Path.of(name).toAbsolutePath());

    private static final String CLASS_PATH = "java.class.path";

    /** The property that the sandbox reads, as a server process is given it. */
    private static final String WORKER_CACHE = "millrace.workerCache";

    private static final String SERVER = "server.aot";
    private static final String WORKER = "worker.aot";

    /** PostgreSQL, which is another user where the tests are root, reaches its folder. */
    private static final FileAttribute<Set<PosixFilePermission>> PASSABLE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x"));

    /** The file with the class path, written when all others are whole. */
    private static final String DONE = "classpath";

    private static final Duration TRAINING = Duration.ofMinutes(5);
    private static final long LOOK_MS = 1_000;

    private static final AtomicBoolean OPENED = new AtomicBoolean();
    private static final AtomicBoolean USED = new AtomicBoolean();

    @Override
    public void beforeAll(ExtensionContext context) {
        FOLDER.filter(_ -> OPENED.compareAndSet(false, true))
                .ifPresent(folder ->
                        Thread.ofPlatform().daemon().name("start-caches").start(() -> await(folder)));
    }

    /** Options of the JVM for a server process; none while there is no cache. */
    static List<String> serverOptions() {
        return USED.get() ? FOLDER.map(StartCaches::serverOptions).orElseGet(List::of) : List.of();
    }

    private static List<String> serverOptions(Path folder) {
        return List.of(
                "-XX:AOTCache=" + folder.resolve(SERVER),
                "-Xlog:aot=off,cds=off",
                "-D" + WORKER_CACHE + "=" + folder.resolve(WORKER));
    }

    private static void await(Path folder) {
        try {
            Files.createDirectories(folder);
            while (!Files.exists(folder.resolve(DONE))) {
                makeUnlessAnotherDoes(folder);
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
            use(folder, Files.readString(folder.resolve(DONE)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** The cache before the class path: a worker ignores a cache that does not suit its class path. */
    private static void use(Path folder, String classPath) {
        System.setProperty(WORKER_CACHE, folder.resolve(WORKER).toString());
        System.setProperty(CLASS_PATH, classPath);
        USED.set(true);
    }

    private static void makeUnlessAnotherDoes(Path folder) throws IOException, InterruptedException {
        try (var channel =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = channel.tryLock()) {
            if (lock != null && !Files.exists(folder.resolve(DONE))) {
                make(folder);
            }
        }
    }

    private static void make(Path folder) throws IOException, InterruptedException {
        var classPath = new ArrayList<String>();
        for (var entry : System.getProperty(CLASS_PATH).split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                classPath.add(packed(folder, Path.of(entry).toAbsolutePath()));
            }
        }
        var jars = String.join(File.pathSeparator, classPath);
        trainWorker(folder, jars);
        trainServer(folder, jars);
        var part = Files.writeString(folder.resolve(DONE + ".part"), jars);
        Files.move(part, folder.resolve(DONE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** A jar in place of a folder of classes; other entries as they are. */
    private static String packed(Path folder, Path entry) throws IOException, InterruptedException {
        if (!Files.isDirectory(entry)) {
            return entry.toString();
        }
        var jar = folder.resolve(entry.getFileName() + ".jar");
        run(
                Path.of(System.getProperty("java.home"), "bin", "jar").toString(),
                "--create",
                "--no-compress",
                "--file",
                jar.toString(),
                "-C",
                entry.toString(),
                ".");
        return jar.toString();
    }

    private static void trainWorker(Path folder, String classPath) throws IOException, InterruptedException {
        run(
                ServerProcess.java(),
                "-Xmx112m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.awt.headless=true",
                "-Dpolyglot.engine.userResourceCache=" + Files.createDirectories(folder.resolve("engine")),
                "-XX:AOTCacheOutput=" + folder.resolve(WORKER),
                "-cp",
                classPath,
                WorkerMain.class.getName(),
                "train");
    }

    /** As the shipped program makes its own cache: a server that calls its own flow, and ends by itself. */
    private static void trainServer(Path folder, String classPath) throws IOException {
        try (var data = DataDirectory.create()) {
            var scratch = Files.createDirectory(data.path().resolve("start-cache-of-tests"), PASSABLE);
            DataDirectory.prepare(scratch);
            var command = ServerProcess.command(classPath);
            command.addAll(List.of(
                    "-XX:AOTCacheOutput=" + folder.resolve(SERVER),
                    "-Xlog:aot=off,cds=off",
                    ServerProcess.MAIN,
                    "--training-run"));
            try (var server = ServerProcess.start(command, scratch, Map.of())) {
                var status = server.exitStatus(TRAINING);
                if (status != 0 || !Files.exists(folder.resolve(SERVER))) {
                    throw new IOException("expected a start cache, found status " + status + "\n" + server.output());
                }
            }
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(TRAINING.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("expected to end with 0: " + Arrays.toString(command));
        }
    }
}
