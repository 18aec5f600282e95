package io.millrace.app;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.base.persistence.postgres.FileTrees;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * AOT cache of the JVM (decision 0063): loaded and linked classes, and method profiles. It more than halves the time of every
 * later start. The launcher script of the executable names the file and passes it to the JVM; this class creates a missing file
 * by an {@link AotTrainingRun} in a separate background process, which the OOM killer selects first. Without the cache the
 * server works, but starts slower.
 */
public final class AotCache implements AutoCloseable {
    /** System property with the path of the file; set by the executable, and empty if no cache is wanted. */
    static final String PROPERTY = "millrace.startCache";

    /** A cache serves one file; directories of classes cannot have one. */
    private static final Path PROGRAM =
            Path.of(System.getProperty("java.class.path")).toAbsolutePath();

    private static final String MAIN_CLASS = "io.millrace.Millrace";

    private static final Logger LOG = LoggerFactory.getLogger(AotCache.class);

    /**
     * Delay after the start: the training run must not compete with the start, and a server that is only tried out has ended by
     * then.
     */
    private static final long DELAY_SECONDS = 300;

    private static final long LOOK_SECONDS = 60;

    /** Share of the host's processors that may be in use while a training run begins. */
    private static final double QUIET = 0.2;

    private static final long TRAINING_SECONDS_MAX = 600;

    /** Below this the training run would take memory that the server needs. */
    private static final long HOST_BYTES_MIN = 700L << 20;

    private static final String PART = ".part";

    static final String SCRATCH = "start-cache-";

    /** A cache serves only a JVM with the same layout of objects; other options, such as a debugger's, stay away. */
    private static final List<String> SHARED_OPTIONS =
            List.of("-Xm", "-XX:MaxRAM", "-XX:+Use", "-XX:-Use", "--enable-native-access", "--sun-misc", "-Dio.netty.");

    /** The kernel ends the training run before it ends a server. */
    private static final String MODESTLY = "echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec nice -n 19 \"$@\"";

    private final Path file;
    private final Path dataDirectory;
    private volatile boolean isClosed;
    private volatile Process training;

    private AotCache(Path file, Path dataDirectory) {
        this.file = file;
        this.dataDirectory = dataDirectory;
    }

    /** Cache of this process; empty if it was not started by the executable. */
    public static Optional<AotCache> of(Path dataDirectory) {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .filter(name -> !name.isBlank() && Files.isRegularFile(PROGRAM))
                .map(name -> new AotCache(Path.of(name).toAbsolutePath(), dataDirectory));
    }

    /** Creates a missing file in the background when the host is idle; returns at once. */
    public void makeSoon() {
        if (Files.exists(file) || host().getTotalMemorySize() < HOST_BYTES_MIN) {
            return;
        }
        var later = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("start-cache").factory());
        var _ = later.scheduleWithFixedDelay(
                () -> {
                    if (host().getCpuLoad() < QUIET) {
                        later.shutdown();
                        make(ProcessBuilder.Redirect.DISCARD);
                    }
                },
                DELAY_SECONDS,
                LOOK_SECONDS,
                TimeUnit.SECONDS);
    }

    /** Creates the file if it is missing; returns false after a failure, which is logged. */
    public boolean make(ProcessBuilder.Redirect output) {
        if (Files.exists(file)) {
            return true;
        }
        try {
            Files.createDirectories(file.getParent());
            Files.createDirectories(dataDirectory);
            forget(PART);
            FileTrees.deleteAll(dataDirectory, SCRATCH + "*");
            return train(Files.createTempDirectory(dataDirectory, SCRATCH), output);
        } catch (IOException failure) {
            LOG.info("cannot write the start cache {}: {}", file, failure.toString());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private boolean train(Path scratch, ProcessBuilder.Redirect output) throws IOException, InterruptedException {
        var part = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + PART);
        try {
            var process = start(part, scratch, output);
            training = process;
            if (isClosed) {
                end();
            }
            var isMade = process.waitFor(TRAINING_SECONDS_MAX, TimeUnit.SECONDS)
                    && process.exitValue() == 0
                    && Files.exists(part);
            if (isMade) {
                // Lost power must not leave its name without its content.
                force(part);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                forget(".aot");
            } else if (!isClosed) {
                LOG.info("the start cache {} was not written; the next start takes longer", file);
            }
            return isMade;
        } finally {
            end();
            Files.deleteIfExists(part);
            FileTrees.deleteAll(scratch.getParent(), scratch.getFileName().toString());
        }
    }

    private static void force(Path written) throws IOException {
        try (var channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static Process start(Path part, Path scratch, ProcessBuilder.Redirect output) throws IOException {
        var command = new ArrayList<>(List.of("sh", "-c", MODESTLY, "millrace-training"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(sharedOptions());
        command.addAll(List.of("-XX:AOTCacheOutput=" + part, "-Xlog:aot=off,cds=off"));
        command.addAll(List.of("-cp", PROGRAM.toString(), MAIN_CLASS, AotTrainingRun.WORD));
        // The environment is not inherited: with the settings, a training run would reach the real database and mail
        // server.
        var builder = new ProcessBuilder(command)
                .directory(scratch.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        builder.environment().keySet().retainAll(List.of("PATH"));
        builder.environment().putAll(Map.of("AP_DATA_DIR", scratch.toString(), "AP_HOST", "127.0.0.1", "AP_PORT", "0"));
        return builder.start();
    }

    private static List<String> sharedOptions() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> SHARED_OPTIONS.stream().anyMatch(option::startsWith))
                .toList();
    }

    /** Removes caches of other builds and other Java versions, and partial files of a killed process. */
    private void forget(String ending) throws IOException {
        try (var others = Files.newDirectoryStream(file.getParent(), "millrace-*.aot*")) {
            for (var other : others) {
                var name = other.getFileName().toString();
                var isMeant = ending.equals(PART) ? name.contains(PART) : name.endsWith(ending);
                if (isMeant && !other.equals(file)) {
                    Files.deleteIfExists(other);
                }
            }
        }
    }

    private static OperatingSystemMXBean host() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    }

    @Override
    public void close() {
        isClosed = true;
        end();
    }

    private void end() {
        var process = training;
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
