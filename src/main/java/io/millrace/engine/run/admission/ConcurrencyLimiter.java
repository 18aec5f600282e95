package io.millrace.engine.run.admission;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * How many runs of a project, or of the projects of a pool, execute at once on this node (contract flows-and-engine
 * 16.2, admin-api 36.3); also how many of a flow or of those that share a connection, and how many of them start within
 * a period (decision 0035). A run that finds no permit waits in line: those with a waiting HTTP caller first, then the
 * projects of a pool in turn, and within a project whoever came first.
 *
 * <p>All shards of the node share it, so it is safe for threads; what it does under its lock takes less than a
 * microsecond, because a run of pure steps takes and returns a permit in little more.
 */
public final class ConcurrencyLimiter {
    /** Of a project with so many runs in one line, more would only take room from others. */
    private static final int CROWD = 1_000;

    private final Map<String, WaitQueue> queues = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private final Alarm alarm;
    private final PermitShares shares;
    private volatile Runnable lineShort = () -> {};

    /** Does something later, on any thread. May be set on any thread. */
    public interface Alarm {
        void after(long delayMs, Runnable action);
    }

    /** With limits that no other node has a part in. */
    public ConcurrencyLimiter(InstantSource clock, Alarm alarm) {
        this(clock, alarm, PermitShares.WHOLE);
    }

    /** With limits whose permits nodes share. */
    public ConcurrencyLimiter(InstantSource clock, Alarm alarm, NodePermits shares) {
        this(clock, alarm, (PermitShares) shares);
    }

    ConcurrencyLimiter(InstantSource clock, Alarm alarm, PermitShares shares) {
        this.clock = clock;
        this.alarm = alarm;
        this.shares = shares;
    }

    /** How many runs have a permit, or a start that still counts, and how many wait in line. */
    record Usage(int held, int waiting) {
        private static final Usage NONE = new Usage(0, 0);

        boolean isAny() {
            return held > 0 || waiting > 0;
        }
    }

    /**
     * What a run asks for.
     *
     * @param share whose permits it takes
     * @param urgent whether an HTTP caller waits for the run
     * @param first whether the run has never begun before, so that this is its start
     */
    record PermitRequest(ConcurrencyShare share, String projectId, boolean urgent, boolean first) {
        PermitRequest(ConcurrencyShare share, String projectId, boolean urgent) {
            this(share, projectId, urgent, true);
        }
    }

    /** A run's place in one queue. */
    final class Permit implements RunPermit {
        private enum PermitState {
            IN_LINE,
            HELD,
            RETURNED
        }

        private final PermitRequest request;
        private final Runnable whenFree;
        private PermitState place = PermitState.IN_LINE;
        private boolean heldAtOnce;
        private boolean startReserved;

        private Permit(PermitRequest request, Runnable whenFree) {
            this.request = request;
            this.whenFree = whenFree;
        }

        @Override
        public boolean isHeldAtOnce() {
            return heldAtOnce;
        }

        /** The run begins now; from now on its start grows old. */
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
     * Takes a permit, or a place in line.
     *
     * @param whenFree called on any thread as soon as the permit is the run's, if it is not at once
     */
    Permit take(PermitRequest request, Runnable whenFree) {
        var permit = new Permit(request, whenFree);
        var key = request.share().key();
        var left = new Left();
        queues.compute(key, (_, known) -> {
            var queue = known == null ? new WaitQueue(shares) : known;
            queue.limit(request.share());
            permit.heldAtOnce = queue.admit(permit, now(request.share()));
            queue.leave(left, now(request.share()));
            return queue;
        });
        finish(key, left);
        return permit;
    }

    private void giveBack(Permit permit) {
        advance(permit.request.share().key(), queue -> queue.leave(permit));
    }

    /** A limit has changed: those for whom there is room now begin. Nobody is sent back into line. */
    void limitChanged(ConcurrencyShare share) {
        advance(share.key(), queue -> queue.limit(share));
    }

    /** What has started lately, as far as nobody here has counted it yet: a process that begins knows of nothing. */
    void remember(ConcurrencyShare share, Collection<Long> startedMs) {
        queues.compute(share.key(), (_, known) -> {
            var queue = known == null ? new WaitQueue(shares) : known;
            if (queue.window == null) {
                queue.limit(share);
                queue.remember(startedMs);
            }
            return queue;
        });
    }

    /** This node may give out more permits of a limit than before, or fewer. */
    void sharesChanged(PermitKey key) {
        advance(key.share(), _ -> {});
    }

    /** How a limit is used on this node. */
    Usage usage(PermitKey key) {
        var usage = new Usage[] {Usage.NONE};
        queues.computeIfPresent(key.share(), (_, queue) -> {
            usage[0] = queue.usage(key.starts(), clock.millis());
            return queue;
        });
        return usage[0];
    }

    /** Projects of which so many runs wait here that no more are to be taken up. */
    public Set<String> crowdedProjects() {
        var crowded = new HashSet<String>();
        for (var key : queues.keySet()) {
            queues.computeIfPresent(key, (_, queue) -> {
                queue.others.addCrowded(crowded);
                return queue;
            });
        }
        return crowded;
    }

    /** Is told, on any thread, when the line of a project that was crowded has become short. */
    public void onLineShort(Runnable told) {
        lineShort = told;
    }

    /** What is left to do when a queue has been changed: outside of its lock, because it may call others. */
    private static final class Left {
        private long alarmMs;
        private PermitKey shortOf;
        private int limit;
        private boolean lineShort;
    }

    /** Changes a queue, and lets those begin for whom there is room then. */
    private void advance(String key, Consumer<WaitQueue> change) {
        var next = new ArrayList<Permit>(1);
        var left = new Left();
        queues.computeIfPresent(key, (_, queue) -> {
            change.accept(queue);
            var now = queue.window == null ? 0 : clock.millis();
            queue.advance(next, now);
            queue.leave(left, now);
            return queue.isEmpty() ? null : queue;
        });
        finish(key, left);
        next.forEach(granted -> granted.whenFree.run());
    }

    private void finish(String key, Left left) {
        if (left.alarmMs > 0) {
            alarm.after(left.alarmMs, () -> advance(key, queue -> queue.alarmSet = false));
        }
        if (left.shortOf != null) {
            shares.shortOf(left.shortOf, left.limit);
        }
        if (left.lineShort) {
            lineShort.run();
        }
    }

    /** Most queues have no pace, and need no clock. */
    private long now(ConcurrencyShare share) {
        return share.pace().isPresent() ? clock.millis() : 0;
    }

    /** The permits of one key. Reached only inside the map's own lock. */
    private static final class WaitQueue {
        private final Line urgent = new Line();
        private final Line others = new Line();
        private final PermitShares shares;
        private ConcurrencyShare share;
        private int held;
        private StartRateLimit.Window window;
        private boolean alarmSet;

        WaitQueue(PermitShares shares) {
            this.shares = shares;
        }

        /** How many runs may execute at once here. */
        private int limit() {
            return share.limit() == Integer.MAX_VALUE
                    ? share.limit()
                    : shares.of(PermitKey.ofRuns(share.key()), share.limit());
        }

        /** How long the next start has to wait for others of this node. */
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

        /** Says what somebody has to see to, so that the line goes on. */
        void leave(Left left, long now) {
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

        /** Where there is room and a line, the line waits for the pace, which is nothing to a run that goes on. */
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

        /** When to look again because of the pace alone; 0 when something else will be first, or was told already. */
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

        private boolean hasAny() {
            return urgent.hasAny() || others.hasAny();
        }

        private Line line() {
            return urgent.hasAny() ? urgent : others;
        }

        /** A queue with a pace is kept: it knows what has started. */
        boolean isEmpty() {
            return held == 0 && !hasAny() && window == null;
        }

        private Line lineOf(Permit permit) {
            return permit.request.urgent() ? urgent : others;
        }
    }

    /** Who waits: the projects in turn, each with its runs in the order in which they came. */
    private static final class Line {
        private Map<String, Deque<Permit>> byProject = Map.of();
        private boolean becameShort;

        void addCrowded(Set<String> crowded) {
            byProject.forEach((project, waiting) -> {
                if (waiting.size() >= CROWD) {
                    crowded.add(project);
                }
            });
        }

        /** Whether a line that was long has become short since this was asked last. */
        boolean takeBecameShort() {
            var became = becameShort;
            becameShort = false;
            return became;
        }

        boolean hasAny() {
            return !byProject.isEmpty();
        }

        int size() {
            return byProject.values().stream().mapToInt(Deque::size).sum();
        }

        void add(Permit permit) {
            if (byProject.isEmpty()) {
                byProject = new LinkedHashMap<>();
            }
            byProject
                    .computeIfAbsent(permit.request.projectId(), _ -> new ArrayDeque<>())
                    .addLast(permit);
        }

        void remove(Permit permit) {
            byProject.computeIfPresent(permit.request.projectId(), (_, waiting) -> {
                waiting.remove(permit);
                return waiting.isEmpty() ? null : waiting;
            });
        }

        /** The first of the project whose turn it is. */
        Permit first() {
            return byProject.values().iterator().next().getFirst();
        }

        /** The same, taken out; the project goes to the end of the line. */
        Permit next() {
            var turn = byProject.entrySet().iterator().next();
            var permit = turn.getValue().removeFirst();
            becameShort |= turn.getValue().size() == CROWD / 2;
            byProject.remove(turn.getKey());
            if (!turn.getValue().isEmpty()) {
                byProject.put(turn.getKey(), turn.getValue());
            }
            return permit;
        }
    }
}
