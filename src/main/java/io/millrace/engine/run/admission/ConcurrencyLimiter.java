package io.millrace.engine.run.admission;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Concurrency limits of this node: runs of a project, or of the projects of a pool, that execute at once (contract
 * flows-and-engine 16.2, admin-api 36.3); also of a flow or of flows that share a connection, and starts within a
 * period (decision 0035). A run without a permit is queued: those with a waiting HTTP caller first, then the projects
 * of a pool in turn, and within a project in order of arrival.
 *
 * <p>All shards of the node share it, so it is thread-safe; a critical section takes less than a microsecond, because a
 * run of pure steps takes and returns a permit in little more.
 */
public final class ConcurrencyLimiter {
    private final Map<String, PermitQueue> queues = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private final Alarm alarm;
    private final PermitShares shares;
    private volatile Runnable lineShort = () -> {};

    /** Schedules an action on any thread. May be set on any thread. */
    public interface Alarm {
        void after(long delayMs, Runnable action);
    }

    public ConcurrencyLimiter(InstantSource clock, Alarm alarm) {
        this(clock, alarm, PermitShares.WHOLE);
    }

    public ConcurrencyLimiter(InstantSource clock, Alarm alarm, NodePermits shares) {
        this(clock, alarm, (PermitShares) shares);
    }

    ConcurrencyLimiter(InstantSource clock, Alarm alarm, PermitShares shares) {
        this.clock = clock;
        this.alarm = alarm;
        this.shares = shares;
    }

    /** Numbers of runs with a permit, or a start that still counts, and of queued runs. */
    record Usage(int held, int waiting) {
        static final Usage NONE = new Usage(0, 0);

        boolean isAny() {
            return held > 0 || waiting > 0;
        }
    }

    /**
     * Request of a run for a permit.
     *
     * @param share share whose permits it takes
     * @param urgent whether an HTTP caller waits for the run
     * @param first whether the run has never begun before, so that this is its start
     */
    record PermitRequest(ConcurrencyShare share, String projectId, boolean urgent, boolean first) {
        PermitRequest(ConcurrencyShare share, String projectId, boolean urgent) {
            this(share, projectId, urgent, true);
        }
    }

    final class Permit implements RunPermit {
        enum PermitState {
            IN_LINE,
            HELD,
            RETURNED
        }

        final PermitRequest request;
        private final Runnable whenFree;
        PermitState place = PermitState.IN_LINE;
        boolean heldAtOnce;
        boolean startReserved;

        private Permit(PermitRequest request, Runnable whenFree) {
            this.request = request;
            this.whenFree = whenFree;
        }

        @Override
        public boolean isHeldAtOnce() {
            return heldAtOnce;
        }

        void begin() {
            if (request.share().pace().isPresent()) {
                advance(request.share().key(), queue -> queue.begin(this, clock.millis()));
            }
        }

        @Override
        public void giveBack() {
            ConcurrencyLimiter.this.giveBack(this);
        }
    }

    /**
     * Takes a permit, or queues the run.
     *
     * @param whenFree called on any thread as soon as the run has the permit, if it is not granted at once
     */
    Permit take(PermitRequest request, Runnable whenFree) {
        var permit = new Permit(request, whenFree);
        var key = request.share().key();
        var left = new PermitQueue.FollowUp();
        queues.compute(key, (_, known) -> {
            var queue = known == null ? new PermitQueue(shares) : known;
            queue.limit(request.share());
            permit.heldAtOnce = queue.admit(permit, now(request.share()));
            queue.followUp(left, now(request.share()));
            return queue;
        });
        finish(key, left);
        return permit;
    }

    private void giveBack(Permit permit) {
        advance(permit.request.share().key(), queue -> queue.leave(permit));
    }

    /** A limit has changed: queued runs for which there is a permit now begin. Runs with a permit keep it. */
    void limitChanged(ConcurrencyShare share) {
        advance(share.key(), queue -> queue.limit(share));
    }

    /** Adds recent starts that this node has not counted: a new process has no history. */
    void remember(ConcurrencyShare share, Collection<Long> startedMs) {
        queues.compute(share.key(), (_, known) -> {
            var queue = known == null ? new PermitQueue(shares) : known;
            if (!queue.hasPace()) {
                queue.limit(share);
                queue.remember(startedMs);
            }
            return queue;
        });
    }

    void sharesChanged(PermitKey key) {
        advance(key.share(), _ -> {});
    }

    Usage usage(PermitKey key) {
        var usage = new Usage[] {Usage.NONE};
        queues.computeIfPresent(key.share(), (_, queue) -> {
            usage[0] = queue.usage(key.starts(), clock.millis());
            return queue;
        });
        return usage[0];
    }

    /** Projects with so many queued runs here that no more are to be taken up. */
    public Set<String> crowdedProjects() {
        var crowded = new HashSet<String>();
        for (var key : queues.keySet()) {
            queues.computeIfPresent(key, (_, queue) -> {
                queue.addCrowded(crowded);
                return queue;
            });
        }
        return crowded;
    }

    /** Registers a listener, called on any thread, for the queue of a crowded project becoming short. */
    public void onLineShort(Runnable told) {
        lineShort = told;
    }

    private void advance(String key, Consumer<PermitQueue> change) {
        var next = new ArrayList<Permit>(1);
        var left = new PermitQueue.FollowUp();
        queues.computeIfPresent(key, (_, queue) -> {
            change.accept(queue);
            var now = queue.hasPace() ? clock.millis() : 0;
            queue.advance(next, now);
            queue.followUp(left, now);
            return queue.isEmpty() ? null : queue;
        });
        finish(key, left);
        next.forEach(granted -> granted.whenFree.run());
    }

    private void finish(String key, PermitQueue.FollowUp left) {
        if (left.alarmMs > 0) {
            alarm.after(left.alarmMs, () -> advance(key, PermitQueue::alarmOver));
        }
        if (left.shortOf != null) {
            shares.shortOf(left.shortOf, left.limit);
        }
        if (left.lineShort) {
            lineShort.run();
        }
    }

    /** Reads the clock only for queues with a pace; most have none. */
    private long now(ConcurrencyShare share) {
        return share.pace().isPresent() ? clock.millis() : 0;
    }
}
