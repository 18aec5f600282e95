package io.millrace.engine.run.waitpoint;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import java.time.Duration;

/**
 * Callers at other nodes that wait for paused runs of one shard, known from notices of their nodes. Notices may be
 * late: a caller whose notice arrives after the run has resumed or answered still receives the answer (decision 0160).
 * A caller whose notice is lost waits until its own deadline. Not thread-safe: confined to one event loop.
 */
public final class RemoteCallers {
    private static final int KEPT_MAX = 10_000;

    /** Maximum number of runs whose late callers are expected; their entries may include answers. */
    private static final int LATE_MAX = 1_000;

    private static final Duration LATEST = Duration.ofSeconds(5);

    private final Bus bus;
    private final String nodeId;
    private final Cache<String, String> nodes;
    private final Cache<String, StartListener.ForLateCaller> late =
            Caches.living("run.late-callers", LATE_MAX, LATEST).build();

    public RemoteCallers(Bus bus, String nodeId, Duration waitMax) {
        this.bus = bus;
        this.nodeId = nodeId;
        this.nodes = Caches.living("run.remote-callers", KEPT_MAX, waitMax).build();
    }

    /** A caller of this node waits: other nodes may continue its run as soon as its pause is durable. */
    public void waitsHere(String runId) {
        bus.publish(new Runs.CallerWaits(runId, nodeId));
    }

    public void onCallerWaits(Runs.CallerWaits notice) {
        if (!notice.nodeId().equals(nodeId)) {
            var runId = notice.runId();
            nodes.put(runId, notice.nodeId());
            var gone = late.asMap().remove(runId);
            if (gone != null) {
                gone.joinedBy(runId, new StartListener.ForOtherNode(bus, notice.nodeId()));
            }
        }
    }

    public boolean isHere(Runs.AnsweredElsewhere notice) {
        return notice.nodeId().equals(nodeId);
    }

    /** Remote caller of a run that continues here, or a placeholder for a late notice. */
    StartListener take(String runId) {
        var node = nodes.asMap().remove(runId);
        if (node != null) {
            return new StartListener.ForOtherNode(bus, node);
        }
        var unknown = new StartListener.ForLateCaller();
        late.put(runId, unknown);
        return unknown;
    }

    /** Drops the entry for late notices: the caller of the run is known. */
    void forget(String runId) {
        nodes.invalidate(runId);
        late.invalidate(runId);
    }

    /**
     * The run waits again: callers whose notices arrive from now on wait for the next result.
     *
     * @return whether the caller has received a result that arrived before the pause was known here
     */
    boolean paused(String runId, StartListener caller) {
        var gone = late.asMap().remove(runId);
        var isTold = gone != null && gone.isOverdue() && caller.wantsAnswer();
        if (isTold) {
            gone.joinedBy(runId, caller);
        }
        return isTold;
    }
}
