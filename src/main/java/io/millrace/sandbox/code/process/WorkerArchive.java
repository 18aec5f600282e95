package io.millrace.sandbox.code.process;

import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.isolation.ProcessPriority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The virtual machine's cache of a started worker: it halves the cost of a start, which delays calls after each kill of a worker.
 * Made once per build and Java release, in the background, by a worker that starts and ends. Optional.
 */
public final class WorkerArchive {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerArchive.class);

    /** Long, because the training has the lowest priority and a busy server slows it down. */
    private static final long TRAINING_SECONDS_MAX = 1_800;

    /**
     * Marks the training as the first process to be killed for lack of memory, before a server: it uses at least the memory of a
     * worker. The next start tries again.
     */
    private static final List<String> FIRST_TO_END = List.of(
            "/bin/sh", "-c", "echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec \"$@\"", "millrace-training");

    /**
     * Options for a class path of which no cache can be made, such as the directories of a development build. The first compiler
     * alone halves the processor time of a start, and the workers of a development build seldom live long.
     */
    private static final List<String> WITHOUT_CACHE = List.of("-XX:TieredStopAtLevel=1");

    /** System property with a cache that a development build made of its packed classes. */
    private static final String READY_MADE = "millrace.workerCache";

    private final CodeSettings settings;
    private final AtomicBoolean asked = new AtomicBoolean();

    /** Options of workers that start from now on; null before the first request. */
    private volatile List<String> options;

    public WorkerArchive(CodeSettings settings) {
        this.settings = settings;
    }

    /** Options that use the cache; without it until it is made. */
    public List<String> options() throws IOException {
        if (options == null) {
            Optional<Path> ready = readyMade();
            options = ready.isPresent()
                    ? useReadyMade(ready.get())
                    : file().map(WorkerArchive::useIfMade).orElse(WITHOUT_CACHE);
        }
        return options;
    }

    /** Cache of a development build; none for a shipped build, which makes one itself. */
    static Optional<Path> readyMade() {
        return Optional.ofNullable(System.getProperty(READY_MADE)).map(Path::of);
    }

    private static List<String> useReadyMade(Path file) {
        return Stream.concat(use(file).stream(), WITHOUT_CACHE.stream()).toList();
    }

    private static List<String> useIfMade(Path file) {
        return Files.exists(file) ? use(file) : List.of();
    }

    public static List<String> use(Path file) {
        return List.of("-XX:AOTCache=" + file);
    }

    static String making(Path file) {
        return "-XX:AOTCacheOutput=" + file;
    }

    /** Makes the cache in the background if there is none; returns at once. Without a free thread, a later call tries again. */
    public void makeOnce() {
        if (readyMade().isEmpty() && asked.compareAndSet(false, true)) {
            try {
                Thread.ofPlatform().daemon().name("code-archive").start(this::make);
            } catch (OutOfMemoryError noThread) {
                asked.set(false);
            }
        }
    }

    private void make() {
        try {
            Optional<Path> file = file();
            if (file.isPresent() && !Files.exists(file.get())) {
                train(file.get());
            }
        } catch (IOException failure) {
            LOG.warn("cannot write the start cache of code workers; they start more slowly", failure);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void train(Path file) throws IOException, InterruptedException {
        forgetOthers(file);
        Path part = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
        Path said = part.resolveSibling(part.getFileName() + ".log");
        // It runs no user code, and writes a file that every worker reads.
        List<String> command = new ArrayList<>(ProcessPriority.prefix());
        command.addAll(FIRST_TO_END);
        command.addAll(WorkerCommand.of(settings, List.of(making(part)), List.of("train")));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(settings.directory().toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().clear();
        Process training = builder.start();
        try (var _ = Watchdog.over(training.toHandle())) {
            settings.isolation().priorityOf(training.toHandle()).yieldToAll();
            if (training.waitFor(TRAINING_SECONDS_MAX, TimeUnit.SECONDS) && Files.exists(part)) {
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                options = use(file);
            } else {
                LOG.warn("the start cache of code workers was not written, they start more slowly: {}", endOf(said));
            }
        } finally {
            training.destroyForcibly();
            Files.deleteIfExists(part);
            Files.deleteIfExists(said);
        }
    }

    /** Deletes caches of other builds and Java releases, and incomplete files of a server that was killed. */
    private static void forgetOthers(Path file) throws IOException {
        try (DirectoryStream<Path> others = Files.newDirectoryStream(file.getParent(), "worker-*.aot*")) {
            for (Path other : others) {
                Files.deleteIfExists(other);
            }
        }
    }

    private static String endOf(Path said) throws IOException {
        try (Stream<String> lines = Files.lines(said)) {
            return lines.reduce((_, last) -> last).orElse("it printed nothing");
        }
    }

    /** Cache file, named by a hash of its inputs; empty for a class path with directories, for which no cache can be made. */
    private Optional<Path> file() throws IOException {
        StringBuilder made = new StringBuilder(System.getProperty("java.vm.version"));
        try (Stream<Path> entries = WorkerCommand.classPath(settings)) {
            for (Path entry : entries.toList()) {
                if (!Files.isRegularFile(entry)) {
                    return Optional.empty();
                }
                made.append('\n')
                        .append(entry)
                        .append(' ')
                        .append(Files.size(entry))
                        .append(' ');
                made.append(Files.getLastModifiedTime(entry));
            }
        }
        UUID name = UUID.nameUUIDFromBytes(made.toString().getBytes(StandardCharsets.UTF_8));
        return Optional.of(settings.directory().toAbsolutePath().resolve("worker-" + name + ".aot"));
    }
}
