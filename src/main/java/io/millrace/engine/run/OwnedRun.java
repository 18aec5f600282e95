package io.millrace.engine.run;

import io.millrace.base.bus.Notice;

/**
 * A live run that this node owns and will execute. Its values stay in the database until it begins, because many runs
 * may wait.
 *
 * @param fence number of the ownership, which every write carries
 * @param unread whether the row says that no node has read the run since its take-over
 * @param crashes servers that ended while they executed the run, since its last progress
 */
public record OwnedRun(String runId, long fence, boolean unread, int crashes) implements Notice {
    public static OwnedRun of(String runId, long fence) {
        return new OwnedRun(runId, fence, false, 0);
    }
}
