package io.millrace.engine.run.ending;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the parent of a failed run (contract flows-and-engine 14.3). The row of the ended run is authoritative: a
 * timer of the service of waitpoints repeats a lost notice.
 */
record ParentRuns(Bus bus) {
    private static final Logger LOG = LoggerFactory.getLogger(ParentRuns.class);
    private static final long DEADLINE_MS = 30_000;

    void childEnded(RunWrite.RunHeader child, RunStatus status) {
        if (child.origin().parentWaitpoint() != null
                && child.origin().failParentOnFailure()
                && status != RunStatus.SUCCEEDED) {
            bus.ask(new Pauses.FailParent(child, status), DEADLINE_MS)
                    .onFailure(cause -> LOG.warn(
                            "cannot notify the parent of run {}, retrying: {}", child.id(), cause.getMessage()));
        }
    }
}
