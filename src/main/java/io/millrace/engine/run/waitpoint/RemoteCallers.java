package io.millrace.engine.run.waitpoint;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import java.time.Duration;

/**
 * Callers at other nodes who wait for paused runs of one shard, as far as their nodes have told. Notices may be late: one of
 * whom is heard only when the run has gone on, or has answered, is answered all the same (decision 0320). One of whom nothing is
 * heard waits until its own deadline. Not thread safe: lives on one event loop.
 */
public final class RemoteCallers {
    private static final int KEPT_MAX = 10_000;

    /** Answers are among what is kept for those who are late. */
    private static final int LATE_MAX = 1_000;

    private static final Duration LATEST = Duration.ofSeconds(5);

    private final Bus bus;
    private final String nodeId;
    private final Cache<String, String> nodes;
    private final Cache<String, StartListener.ForLateCaller> late =
            Caches.living("run.late-callers", LATE_MAX, LATEST).build();

    /** @param waitMax how long a caller waits at most */
    public RemoteCallers(Bus bus, String nodeId, Duration waitMax) {
        this.bus = bus;
        this.nodeId = nodeId;
        this.nodes = Caches.living("run.remote-callers", KEPT_MAX, waitMax).build();
    }

    /** A caller of this node waits: others may carry its run on, as soon as its pause is durable. */
    public void waitsHere(String runId) {
        bus.publish(new Runs.CallerWaits(runId, nodeId));
    }

    public void heard(Runs.CallerWaits notice) {
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

    /** Who waits elsewhere for a run that goes on here, or may yet be heard of. */
    StartListener take(String runId) {
        var node = nodes.asMap().remove(runId);
        if (node != null) {
            return new StartListener.ForOtherNode(bus, node);
        }
        var unknown = new StartListener.ForLateCaller();
        late.put(runId, unknown);
        return unknown;
    }

    /** Somebody waits from now on who is known, and nobody else. */
    void forget(String runId) {
        nodes.invalidate(runId);
        late.invalidate(runId);
    }

    /**
     * The run waits anew: whoever is heard of from now on waits for what comes then.
     *
     * @return whether the caller has been told what had come before it was known here that the run waits
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
