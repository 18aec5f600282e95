package io.millrace.sandbox.node;

import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.watch.RestRule;
import io.millrace.sandbox.share.ProcessShares;
import io.vertx.core.Context;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the processes of a pool that exceed their limits or are not needed. Used on the pool's context only. */
final class WorkerUpkeep {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerUpkeep.class);

    private static final int IDLE_CHECK_INTERVAL = 5;

    private final NodeGroups groups;
    private final ProcessShares shares;
    private final ProcessPurpose purpose;
    private final Context context;
    private int checks;

    WorkerUpkeep(NodeGroups groups, ProcessShares shares, ProcessPurpose purpose, Context context) {
        this.groups = groups;
        this.shares = shares;
        this.purpose = purpose;
        this.context = context;
    }

    /** Ends idle processes. Those beyond the usual number serve a peak and end soon after it. */
    void endIdle() {
        var idleMsMax = groups.living() > shares.usual() ? NodeSettings.IDLE_IN_EXCESS_MS : NodeSettings.IDLE_MS;
        groups.workers()
                .filter(worker -> worker.idle()
                        .filter(idle -> idle.toMillis() >= idleMsMax)
                        .isPresent())
                .toList()
                .forEach(NodeWorker::end);
    }

    void checkLimits() {
        checks++;
        var includesIdle = checks % IDLE_CHECK_INTERVAL == 0;
        groups.workers()
                .filter(worker -> worker.isBusy() || includesIdle && isAtRest(worker))
                .toList()
                .forEach(this::check);
    }

    private static boolean isAtRest(NodeWorker worker) {
        return worker.idle().filter(idle -> idle.compareTo(RestRule.GRACE) >= 0).isPresent();
    }

    /** Checks a process on a separate thread, so that a slow check does not delay others. */
    private void check(NodeWorker worker) {
        var isAtRest = !worker.isBusy();
        Thread.startVirtualThread(() -> {
            if (worker.process().isRestless(isAtRest)) {
                context.runOnContext(_ -> endRestless(worker));
            }
        });
    }

    /** Ends the process; one that has a new call is replaced after that call. */
    private void endRestless(NodeWorker worker) {
        LOG.info(
                "terminating process {} of {} of project {}: it is still busy after its call",
                worker.process().pid().orElse(0),
                purpose,
                worker.owner().project());
        worker.retire();
        if (!worker.isBusy()) {
            worker.process().kill();
        }
    }
}
