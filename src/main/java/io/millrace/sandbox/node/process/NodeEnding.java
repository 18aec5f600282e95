package io.millrace.sandbox.node.process;

import io.millrace.sandbox.isolation.MemoryKills;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.node.call.ConsoleOutput;
import io.millrace.sandbox.node.call.NodeResult;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reason for the end of a process, and the result of the calls that it was executing then (contract pieces 10.4). */
final class NodeEnding {
    private static final Logger LOG = LoggerFactory.getLogger(NodeEnding.class);
    private static final int EXIT_ABORTED = 134;
    private static final int EXIT_KILLED = 137;
    private static final int EXIT_TERMINATED = 143;

    private final ProcessPurpose purpose;
    private final Supplier<MemoryKills> counters;
    private volatile MemoryKills memoryKills;
    private volatile boolean killed;
    private volatile boolean memoryExceeded;
    private volatile String broken;

    NodeEnding(ProcessPurpose purpose, Supplier<MemoryKills> counters) {
        this.purpose = purpose;
        this.counters = counters;
    }

    /** Reads the counters before the process starts: only later kills can be its own. */
    void begin() {
        memoryKills = counters.get();
    }

    void kill() {
        killed = true;
    }

    /** The server kills the process because of its memory. */
    void exceedMemory() {
        memoryExceeded = true;
    }

    /** Keeps the first reason, because a killed process also fails later checks, for example of its folder. */
    synchronized void breakOff(String reason) {
        if (!killed) {
            broken = reason;
        }
        killed = true;
    }

    boolean isKilled() {
        return killed;
    }

    boolean isBroken() {
        return broken != null;
    }

    String lastWords(Process process, StderrTail errors) {
        return errors.isEmpty() && !process.isAlive()
                ? "it ended with exit code " + process.exitValue()
                : errors.toString();
    }

    NodeResult resultOf(Process process, StderrTail errors, ConsoleOutput printed) {
        if (broken != null) {
            return new NodeResult.Broke(broken, printed);
        }
        var exit = process.isAlive() ? EXIT_KILLED : process.exitValue();
        if (memoryExceeded || exit == EXIT_ABORTED || errors.tellOfExhaustedHeap()) {
            return new NodeResult.MemoryExceeded(printed);
        }
        if (!killed && (exit == EXIT_KILLED || exit == EXIT_TERMINATED)) {
            return killedByOthers(exit, printed);
        }
        // A call that caused the kill has been answered before it.
        return new NodeResult.Broke(
                killed ? "the process of the piece was stopped" : "the piece ended its process with exit code " + exit,
                printed);
    }

    private NodeResult killedByOthers(int exit, ConsoleOutput printed) {
        LOG.warn("a process of {} was killed externally during a call: exit code {}", purpose, exit);
        return exit == EXIT_KILLED && memoryKills.mayHaveHappened()
                ? new NodeResult.MemoryExceeded(printed)
                : new NodeResult.Killed(printed);
    }
}
