package io.millrace.engine.run;

import io.millrace.base.bus.Notice;

/**
 * A live run that this node owns and is to carry on. Its values stay in the database until it begins: many may wait.
 *
 * @param fence number of the ownership, which every write carries
 * @param unread whether the row says that nobody has read the run since it was taken over
 * @param crashes servers that ended while the run was at work, since it last got on
 */
public record OwnedRun(String runId, long fence, boolean unread, int crashes) implements Notice {
    /** A run that goes on at this node, and has no crash to its name. */
    public static OwnedRun of(String runId, long fence) {
        return new OwnedRun(runId, fence, false, 0);
    }
}
