package io.millrace.sandbox.node.watch;

import io.millrace.sandbox.isolation.ProcessLimits;
import java.util.OptionalLong;

/**
 * Resource limits of one process during its lifetime (decision 0366).
 *
 * @param runsCode true if it runs code of users, which must be idle between calls; libraries of pieces may have timers
 * @param memoryBytesMax all its memory
 * @param keptBytesMax its memory between calls
 * @param threadsMax its threads, those of the engine included
 * @param openFilesMax its descriptors
 */
public record ProcessBounds(
        boolean runsCode, long memoryBytesMax, long keptBytesMax, int threadsMax, int openFilesMax) {
    public ProcessLimits byKernel(long fileBytesMax) {
        return new ProcessLimits(
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.of(fileBytesMax),
                OptionalLong.of(openFilesMax));
    }
}
