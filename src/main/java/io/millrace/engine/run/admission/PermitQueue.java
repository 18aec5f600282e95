package io.millrace.engine.run.admission;

import io.millrace.engine.run.admission.ConcurrencyLimiter.Permit;
import io.millrace.engine.run.admission.ConcurrencyLimiter.Usage;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The permits of one key, and the queue for them. Not thread-safe: {@link ConcurrencyLimiter} uses it under a lock. */
final class PermitQueue {
    private final ProjectQueue urgent = new ProjectQueue();
    private final ProjectQueue others = new ProjectQueue();
    private final PermitShares shares;
    private ConcurrencyShare share;
    private int held;
    private StartRateLimit.Window window;
    private boolean alarmSet;

    /** Work after a change of a queue: done outside of its lock, because it may call others. */
    static final class FollowUp {
        long alarmMs;
        PermitKey shortOf;
        int limit;
        boolean lineShort;
    }

    PermitQueue(PermitShares shares) {
        this.shares = shares;
    }

    /** Limit of runs that execute at once here. */
    private int limit() {
        return share.limit() == Integer.MAX_VALUE
                ? share.limit()
                : shares.of(PermitKey.ofRuns(share.key()), share.limit());
    }

    /** Delay of the next start because of others of this node. */
    private long waitMs(long now) {
        return window.waitMs(now, shares.of(PermitKey.ofStarts(share.key()), window.startsMax()));
    }

    Usage usage(boolean ofStarts, long now) {
        var waiting = urgent.size() + others.size();
        if (ofStarts) {
            return window == null ? Usage.NONE : new Usage(window.count(now), waiting);
        }
        return new Usage(held, waiting);
    }

    void followUp(FollowUp left, long now) {
        left.alarmMs = alarmMs(now);
        left.lineShort = others.takeBecameShort();
        if (!hasAny()) {
            return;
        }
        var limit = limit();
        if (held >= limit) {
            if (limit < share.limit()) {
                left.shortOf = PermitKey.ofRuns(share.key());
                left.limit = share.limit();
            }
        } else if (window != null && waitMs(now) > 0) {
            var starts = PermitKey.ofStarts(share.key());
            if (shares.of(starts, window.startsMax()) < window.startsMax()) {
                left.shortOf = starts;
                left.limit = window.startsMax();
            }
        }
    }

    void limit(ConcurrencyShare changed) {
        share = changed;
        if (share.pace().isEmpty()) {
            window = null;
        } else if (window == null) {
            window = new StartRateLimit.Window(share.pace().get());
        } else {
            window.change(share.pace().get());
        }
    }

    void remember(Collection<Long> startedMs) {
        if (window != null) {
            window.remember(startedMs);
        }
    }

    /**
     * Grants a free permit, or queues the request. Runs that wait while permits are free wait for the start rate, which
     * does not limit resumed runs.
     */
    boolean admit(Permit permit, long now) {
        if (held < limit() && (!hasAny() || !permit.request.first()) && mayStart(permit, now)) {
            hold(permit);
            return true;
        }
        lineOf(permit).add(permit);
        return false;
    }

    private boolean mayStart(Permit permit, long now) {
        return window == null || !permit.request.first() || waitMs(now) == 0;
    }

    private void hold(Permit permit) {
        permit.place = Permit.PermitState.HELD;
        held++;
        if (window != null && permit.request.first()) {
            window.reserve();
            permit.startReserved = true;
        }
    }

    void begin(Permit permit, long now) {
        if (permit.startReserved && window != null) {
            window.start(now);
        }
        permit.startReserved = false;
    }

    void leave(Permit permit) {
        switch (permit.place) {
            case HELD -> held--;
            case IN_LINE -> lineOf(permit).remove(permit);
            case RETURNED -> {}
        }
        permit.place = Permit.PermitState.RETURNED;
        if (permit.startReserved && window != null) {
            window.giveUp();
        }
        permit.startReserved = false;
    }

    void advance(List<Permit> next, long now) {
        while (hasAny() && held < limit() && mayStart(line().first(), now)) {
            var permit = line().next();
            hold(permit);
            next.add(permit);
        }
    }

    /**
     * Time of the next check because of the pace alone; 0 when another event precedes it, or when the alarm is set
     * already.
     */
    long alarmMs(long now) {
        if (alarmSet || window == null || !hasAny() || held >= limit()) {
            return 0;
        }
        var waitMs = waitMs(now);
        if (waitMs == StartRateLimit.Window.UNTIL_TOLD) {
            return 0;
        }
        alarmSet = true;
        return Math.max(1, waitMs);
    }

    void alarmOver() {
        alarmSet = false;
    }

    boolean hasPace() {
        return window != null;
    }

    void addCrowded(Set<String> crowded) {
        others.addCrowded(crowded);
    }

    private boolean hasAny() {
        return urgent.hasAny() || others.hasAny();
    }

    private ProjectQueue line() {
        return urgent.hasAny() ? urgent : others;
    }

    /** A queue with a pace is kept, because it holds the recent starts. */
    boolean isEmpty() {
        return held == 0 && !hasAny() && window == null;
    }

    private ProjectQueue lineOf(Permit permit) {
        return permit.request.urgent() ? urgent : others;
    }
}
