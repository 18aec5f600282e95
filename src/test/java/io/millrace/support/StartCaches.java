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
 * Start caches of a run of the check: archives of loaded classes with which server processes and code workers start in
 * less than half of the processor time. The JVM creates them only from jars, so the class folders are packed first.
 *
 * <p>One test process creates the caches in the background, in the folder that a system property names; the others use
 * them after that. Without the property, tests run from the class folders and without a cache.
 */
public final class StartCaches implements BeforeAllCallback {
    /** System property with the folder; set by {@code scripts/check}, which empties the folder before. */
    private static final Optional<Path> FOLDER = Optional.ofNullable(System.getProperty("millrace.test.caches"))
            .filter(name -> !name.isBlank())
            .map(name -> Path.of(name).toAbsolutePath());

    private static final String CLASS_PATH = "java.class.path";

    /** System property that the sandbox reads, passed to server processes. */
    private static final String WORKER_CACHE = "millrace.workerCache";

    private static final String SERVER = "server.aot";
    private static final String WORKER = "worker.aot";

    /** PostgreSQL needs access to its folder; it runs as another user if the tests are root. */
    private static final FileAttribute<Set<PosixFilePermission>> PASSABLE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x"));

    /** File with the class path, written after all others are complete. */
    private static final String DONE = "classpath";

    private static final Duration TRAINING = Duration.ofMinutes(5);

    /** Servers of tests use only the first compiler, which needs few calls. */
    private static final String TRAINING_CALLS = "200";

    private static final long LOOK_MS = 1_000;

    private static final AtomicBoolean OPENED = new AtomicBoolean();
    private static final AtomicBoolean USED = new AtomicBoolean();

    @Override
    public void beforeAll(ExtensionContext context) {
        FOLDER.filter(_ -> OPENED.compareAndSet(false, true))
                .ifPresent(folder ->
                        Thread.ofPlatform().daemon().name("start-caches").start(() -> await(folder)));
    }

    /** Folder that all test processes of a run share; none outside {@code scripts/check}. */
    static Optional<Path> folder() {
        return FOLDER;
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

    /** Sets the cache before the class path: a worker ignores a cache of another class path. */
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

    /** Jar of a folder of classes; other entries unchanged. */
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

    /** Creates the cache as the shipped program does: by a server that calls its own flow and exits. */
    private static void trainServer(Path folder, String classPath) throws IOException {
        try (var data = DataDirectory.create()) {
            var scratch = Files.createDirectory(data.path().resolve("start-cache-of-tests"), PASSABLE);
            DataDirectory.prepare(scratch);
            var command = ServerProcess.command(classPath);
            command.addAll(List.of(
                    "-XX:AOTCacheOutput=" + folder.resolve(SERVER),
                    "-Xlog:aot=off,cds=off",
                    ServerProcess.MAIN,
                    "--training-run",
                    TRAINING_CALLS));
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
