package io.millrace.sandbox.node.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.net.Fence;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One call into a package.
 *
 * @param group owner of the code: groups never share a process
 * @param project the project that the call is for, by which processes are shared out (decision 0365)
 * @param urgency decides how the call shares a process with others
 * @param frame fields of the call's frame (contract pieces 9)
 * @param loadsNativeCode true if its process runs without the permission model of Node.js, which refuses native code; such a
 *     process makes no other calls
 * @param fence permission to make the call, checked when a process is ready for it
 */
public record NodeCall(
        String group,
        String project,
        CodeFolders folders,
        Urgency urgency,
        ObjectNode frame,
        long timeLimitMs,
        boolean loadsNativeCode,
        Fence fence) {
    /**
     * Files of the call.
     *
     * @param root folder that the group's processes may read
     * @param own the package's own folder, inside the root; a process that has loaded it is preferred
     */
    public record CodeFolders(Path root, Path own) {}

    public NodeCall(String group, Path root, Path folder, Urgency urgency, ObjectNode frame, long timeLimitMs) {
        this(group, group, new CodeFolders(root, folder), urgency, frame, timeLimitMs, false, Fence.OPEN);
    }

    public Place place() {
        return new Place(group, urgency, loadsNativeCode);
    }

    public Claimant claimant() {
        return new Claimant(project, urgency == Urgency.META);
    }

    /** Key of interchangeable processes. */
    public record Place(String group, Urgency urgency, boolean loadsNativeCode) {}

    /**
     * Project that shares the processes with others. Its questions have a separate share, so that an editor does not
     * wait for runs.
     */
    public record Claimant(String project, boolean asks) {}

    /** Program of a project that is called; empty for pieces, and for checks of sources that do not belong to a program yet. */
    public Optional<Path> program() {
        return urgency == Urgency.CODE && !folders.own().equals(folders.root())
                ? Optional.of(folders.own())
                : Optional.empty();
    }

    /** Scheduling class of a call: calls of one class may share a process. */
    public enum Urgency {
        /** Calls of runs: one at a time, so that a crash affects only the call that caused it. */
        RUN(1),
        /** Questions without effects: several at a time. */
        META(16),
        /** Steps of code: one at a time, without access to this server's own addresses. */
        CODE(1);

        private final int concurrency;

        Urgency(int concurrency) {
            this.concurrency = concurrency;
        }

        public int concurrency() {
            return concurrency;
        }
    }
}
