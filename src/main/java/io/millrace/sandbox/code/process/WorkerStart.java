package io.millrace.sandbox.code.process;

import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.worker.WorkerFrame;
import io.millrace.sandbox.code.worker.WorkerRequest;
import io.millrace.sandbox.isolation.MemoryKills;
import io.millrace.sandbox.isolation.ProcessPriority;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Starts workers; kills one that is not ready in time. */
public final class WorkerStart {
    private static final long START_MS_MAX = 90_000;

    /**
     * Time of a start at lowered priority in milliseconds: without a limit it would never end on a busy machine, and waiting calls
     * hold permits of their project.
     */
    private static final long MODEST_START_MS = 1_000;

    private static final int ERRORS_SHOWN_BYTES = 500;

    private WorkerStart() {}

    /**
     * Loads the classes for a start while there are descriptors: the virtual machine does not retry a class whose
     * loading failed.
     */
    public static List<Class<?>> load() {
        return List.of(
                WorkerFrame.class,
                WorkerFrame.Type.class,
                WorkerRequest.class,
                WorkerProcess.class,
                WorkerAnswer.class,
                ProcessPriority.class,
                CodeResult.class,
                ConsoleLog.Builder.class);
    }

    /** Starts a worker and waits until it is ready. */
    public static WorkerProcess start(CodeSettings settings, WorkerArchive archive, ScheduledExecutorService clock)
            throws IOException {
        return start(settings, archive.options(), clock);
    }

    /**
     * As {@link #start(CodeSettings, WorkerArchive, ScheduledExecutorService)}.
     *
     * @param options of the virtual machine, besides those of every worker
     */
    public static WorkerProcess start(CodeSettings settings, List<String> options, ScheduledExecutorService clock)
            throws IOException {
        Files.createDirectories(settings.directory());
        Path errors = settings.directory().resolve(Thread.currentThread().getName() + ".err");
        ProcessBuilder builder = new ProcessBuilder(WorkerCommand.isolated(settings, options))
                .directory(settings.directory().toFile())
                .redirectError(errors.toFile());
        // The server's environment holds passwords and keys.
        builder.environment().clear();
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        MemoryKills memoryKills = settings.isolation().memoryKills();
        Process process = settings.isolation().start(builder);
        boolean ready = false;
        try {
            WorkerProcess worker = new WorkerProcess(
                    process, options, settings.isolation().priorityOf(process.toHandle()), memoryKills);
            awaitReady(process, worker, errors, clock);
            ready = true;
            return worker;
        } finally {
            // After any failure, also in the virtual machine, no process may stay without an owner.
            if (!ready) {
                process.destroyForcibly();
            }
        }
    }

    private static void awaitReady(Process process, WorkerProcess worker, Path errors, ScheduledExecutorService clock)
            throws IOException {
        Future<?> tooLate = clock.schedule(process::destroyForcibly, START_MS_MAX, TimeUnit.MILLISECONDS);
        Future<?> urgent = clock.schedule(worker.priority()::started, MODEST_START_MS, TimeUnit.MILLISECONDS);
        try {
            worker.priority().starting();
            Optional<WorkerFrame> first = worker.firstFrame();
            if (first.isEmpty() || first.get().type() != WorkerFrame.Type.READY) {
                throw new IOException("expected a code worker to become ready, but it ended: " + beginOf(errors));
            }
            worker.begin(clock);
        } finally {
            tooLate.cancel(false);
            urgent.cancel(false);
        }
    }

    /** Error output of a worker before it ended: user code cannot write there. */
    private static String beginOf(Path errors) throws IOException {
        try (InputStream text = Files.newInputStream(errors)) {
            return new String(text.readNBytes(ERRORS_SHOWN_BYTES), StandardCharsets.UTF_8).strip();
        }
    }
}
