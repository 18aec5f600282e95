package io.millrace.sandbox.node.call;

import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.node.watch.ProcessBounds;
import io.millrace.sandbox.share.ProcessShares;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Settings of the module.
 *
 * @param executable Node.js by setting; empty to search the PATH
 * @param directory of the host's script and of temporary files; created if missing
 * @param heapBytesMax JavaScript heap of one process
 * @param keptBytesMax memory of a process that has no call; one that holds more is replaced
 * @param limits resources of each process and number of processes
 * @param network addresses that pieces may connect to, read at each start of a process
 * @param isolation kernel isolation of each process
 * @param backoff waits of code whose processes had to be killed
 */
public record NodeSettings(
        Optional<Path> executable,
        Path directory,
        long heapBytesMax,
        long keptBytesMax,
        Limits limits,
        Supplier<Network> network,
        Isolation isolation,
        BackoffSettings backoff) {

    /**
     * Bounds of processes.
     *
     * @param processesMax processes that run at the same time where no project has to wait
     * @param processesCeiling busy processes of all projects together
     * @param codeScratchBytesMax files of one process of code
     * @param pieceScratchBytesMax files of one process of pieces
     * @param openFilesMax descriptors that a process may have open
     * @param outputFilesMax files in the output of one call of code
     * @param threadsMax threads that a process may have
     */
    public record Limits(
            int processesMax,
            int processesCeiling,
            long codeScratchBytesMax,
            long pieceScratchBytesMax,
            int openFilesMax,
            int outputFilesMax,
            int threadsMax) {
        public long scratchBytesMax(NodeCall.Urgency urgency) {
            return urgency == NodeCall.Urgency.CODE ? codeScratchBytesMax : pieceScratchBytesMax;
        }
    }

    public ProcessBounds bounds(NodeCall.Urgency urgency) {
        return new ProcessBounds(
                urgency == NodeCall.Urgency.CODE,
                residentBytesMax(),
                keptBytesMax,
                limits.threadsMax(),
                limits.openFilesMax());
    }

    public ProcessShares shares() {
        return new ProcessShares(limits.processesMax(), limits.processesCeiling());
    }

    public static final int WAITING_MAX = 2000;

    public static final long IDLE_MS = 60_000;

    /** Idle limit while there are more processes than usual. */
    public static final long IDLE_IN_EXCESS_MS = 10_000;

    /** A process is replaced after this number of calls, which bounds leaks of pieces (contract pieces 10.1). */
    public static final int CALLS_MAX = 500;

    public static final int FOLDERS_MAX = 12;

    /** Memory besides the heap: the engine itself, code, and buffers, which the heap limit does not count. */
    static final long BESIDE_HEAP_BYTES = 256L << 20;

    /**
     * Addresses that pieces may connect to. Blocks are in CIDR notation.
     *
     * @param exempt {@code host:port} of this server, which pieces call back
     */
    public record Network(List<String> refused, List<String> allowed, List<String> exempt) {
        /** Addresses that calls of the urgency may connect to: code may not reach this server's own addresses. */
        public Network of(NodeCall.Urgency urgency) {
            return urgency == NodeCall.Urgency.CODE ? new Network(refused, allowed, List.of()) : this;
        }
    }

    public long residentBytesMax() {
        return heapBytesMax + BESIDE_HEAP_BYTES;
    }
}
