package io.millrace.sandbox.node.watch;

import io.millrace.sandbox.isolation.ProcessLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Watches the memory and files of a process that runs once and has no calls, such as the package manager, and ends it when it
 * exceeds a limit or its time, or when its first thread has ended: the kernel no longer reports its memory then.
 */
public final class ResourceWatch {
    private static final long LOOK_MS = 100;

    /** A folder of packages has tens of thousands of files, which take a tenth of a second to count. */
    private static final int LOOKS_PER_FILES = 10;

    private static final int ENTRIES_MAX = 200_000;

    /**
     * Limits of a process.
     *
     * @param memoryBytesMax resident and swapped out
     * @param fileBytesMax files in its folder, and largest single file
     */
    public record Bounds(long memoryBytesMax, long fileBytesMax) {
        /** Limits that the kernel enforces itself, also after the end of this server. */
        public ProcessLimits byKernel(Duration time) {
            return new ProcessLimits(
                    OptionalLong.empty(),
                    OptionalLong.of(time.toSeconds()),
                    OptionalLong.of(fileBytesMax),
                    OptionalLong.empty());
        }
    }

    private final Process process;
    private final ScratchFolder folder;
    private final Bounds bounds;
    private final Duration time;
    private final FirstThreadRule firstThread = new FirstThreadRule();
    private volatile String excess = "";

    public ResourceWatch(Process process, Path folder, Bounds bounds, Duration time) {
        this.process = process;
        this.folder = new ScratchFolder(folder, bounds.fileBytesMax(), ENTRIES_MAX);
        this.bounds = bounds;
        this.time = time;
    }

    /** Watches the process until it has ended. Blocks; interruption ends the watch. */
    public void watch() {
        var end = System.nanoTime() + time.toNanos();
        var looks = 0;
        try {
            while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                looks++;
                var found = excess(looks % LOOKS_PER_FILES == 0, end);
                if (found.isPresent()) {
                    excess = found.get();
                    process.destroyForcibly();
                    return;
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<String> excess(boolean countsFiles, long end) {
        if (System.nanoTime() - end > 0) {
            return Optional.of("expected it to end within " + time.toSeconds() + " s");
        }
        var use = KernelUse.of(process.pid());
        if (firstThread.isBroken(use)) {
            return Optional.of("expected its main thread to end last");
        }
        if (use.isPresent() && use.get().memoryBytes() > bounds.memoryBytesMax()) {
            return Optional.of("expected at most " + (bounds.memoryBytesMax() >> 20)
                    + " MB of memory (AP_PACKAGE_INSTALL_MEMORY_MAX_MB)");
        }
        return countsFiles && folder.isOverQuota(HeldFiles.NONE) ? Optional.of(filesExceeded()) : Optional.empty();
    }

    private String filesExceeded() {
        return "expected at most " + (bounds.fileBytesMax() >> 20)
                + " MB of files (AP_PACKAGE_INSTALL_FILES_MAX_MB), and " + ENTRIES_MAX + " of them";
    }

    /** Fails if the process was ended for an excess, or has left too many files behind. Blocks; called after its end. */
    public void check() throws IOException {
        if (!excess.isEmpty()) {
            throw new IOException(excess);
        }
        if (folder.isOverQuota(HeldFiles.NONE)) {
            throw new IOException(filesExceeded());
        }
    }
}
