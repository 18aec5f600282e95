package io.millrace.engine.run.waitpoint;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import java.time.Duration;

/**
 * Callers at other nodes who wait for paused runs of one shard, as far as their nodes have told. One of whom nothing was
 * heard is not answered, and waits until its own deadline. Not thread safe: lives on one event loop.
 */
public final class RemoteCallers {
    private static final int KEPT_MAX = 10_000;

    private final Bus bus;
    private final String nodeId;
    private final Cache<String, String> nodes;

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
            nodes.put(notice.runId(), notice.nodeId());
        }
    }

    public boolean isHere(Runs.AnsweredElsewhere notice) {
        return notice.nodeId().equals(nodeId);
    }

    /** Who waits elsewhere for a run that goes on here. */
    StartListener take(String runId) {
        var node = nodes.asMap().remove(runId);
        return node == null ? StartListener.nobody() : new StartListener.ForOtherNode(bus, node);
    }
}
