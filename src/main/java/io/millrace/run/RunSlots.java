package io.millrace.run;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * How many runs of a project, or of the projects of a pool, execute at once on this node (contract flows-and-engine
 * 16.2, admin-api 36.3); also how many of a flow or of those that share a connection, and how many of them start within
 * a period (decision 0035). A run that finds no slot waits in line: those with a waiting HTTP caller first, then the
 * projects of a pool in turn, and within a project whoever came first.
 *
 * <p>All shards of the node share it, so it is safe for threads; what it does under its lock takes less than a
 * microsecond, because a run of pure steps takes and returns a slot in little more.
 */
public final class RunSlots {
    private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private final Alarm alarm;

    /** Does something later, on any thread. May be set on any thread. */
    public interface Alarm {
        void after(long delayMs, Runnable action);
    }

    public RunSlots(InstantSource clock, Alarm alarm) {
        this.clock = clock;
        this.alarm = alarm;
    }

    /**
     * What a run asks for.
     *
     * @param share whose slots it takes
     * @param urgent whether an HTTP caller waits for the run
     * @param first whether the run has never begun before, so that this is its start
     */
    record Wish(ConcurrencyShare share, String projectId, boolean urgent, boolean first) {
        Wish(ConcurrencyShare share, String projectId, boolean urgent) {
            this(share, projectId, urgent, true);
        }
    }

    /** A run's place in one lane. */
    final class Slot implements RunPlace {
        private enum Place {
            IN_LINE,
            HELD,
            RETURNED
        }

        private final Wish wish;
        private final Runnable whenFree;
        private Place place = Place.IN_LINE;
        private boolean heldAtOnce;
        private boolean startReserved;

        private Slot(Wish wish, Runnable whenFree) {
            this.wish = wish;
            this.whenFree = whenFree;
        }

        @Override
        public boolean isHeldAtOnce() {
            return heldAtOnce;
        }

        /** The run begins now; from now on its start grows old. */
        void begin() {
            if (wish.share().pace().isPresent()) {
                advance(wish.share().key(), lane -> lane.begin(this, clock.millis()));
            }
        }

        @Override
        public void giveBack() {
            RunSlots.this.giveBack(this);
        }
    }

    /**
     * Takes a slot, or a place in line.
     *
     * @param whenFree called on any thread as soon as the slot is the run's, if it is not at once
     */
    Slot take(Wish wish, Runnable whenFree) {
        var slot = new Slot(wish, whenFree);
        var key = wish.share().key();
        var wait = new long[1];
        lanes.compute(key, (_, known) -> {
            var lane = known == null ? new Lane() : known;
            lane.limit(wish.share());
            slot.heldAtOnce = lane.admit(slot, now(wish.share()));
            wait[0] = lane.alarmMs(now(wish.share()));
            return lane;
        });
        ringAfter(key, wait[0]);
        return slot;
    }

    private void giveBack(Slot slot) {
        advance(slot.wish.share().key(), lane -> lane.leave(slot));
    }

    /** A limit has changed: those for whom there is room now begin. Nobody is sent back into line. */
    void limitChanged(ConcurrencyShare share) {
        advance(share.key(), lane -> lane.limit(share));
    }

    /** What has started lately, as far as nobody here has counted it yet: a process that begins knows of nothing. */
    void remember(ConcurrencyShare share, Collection<Long> startedMs) {
        lanes.compute(share.key(), (_, known) -> {
            var lane = known == null ? new Lane() : known;
            if (lane.window == null) {
                lane.limit(share);
                lane.remember(startedMs);
            }
            return lane;
        });
    }

    /** Changes a lane, and lets those begin for whom there is room then. */
    private void advance(String key, Consumer<Lane> change) {
        var next = new ArrayList<Slot>(1);
        var wait = new long[1];
        lanes.computeIfPresent(key, (_, lane) -> {
            change.accept(lane);
            var now = lane.window == null ? 0 : clock.millis();
            lane.advance(next, now);
            wait[0] = lane.alarmMs(now);
            return lane.isEmpty() ? null : lane;
        });
        ringAfter(key, wait[0]);
        next.forEach(granted -> granted.whenFree.run());
    }

    private void ringAfter(String key, long delayMs) {
        if (delayMs > 0) {
            alarm.after(delayMs, () -> advance(key, lane -> lane.alarmSet = false));
        }
    }

    /** Most lanes have no pace, and need no clock. */
    private long now(ConcurrencyShare share) {
        return share.pace().isPresent() ? clock.millis() : 0;
    }

    /** The slots of one key. Reached only inside the map's own lock. */
    private static final class Lane {
        private final Line urgent = new Line();
        private final Line others = new Line();
        private int limit;
        private int held;
        private StartPace.Window window;
        private boolean alarmSet;

        void limit(ConcurrencyShare share) {
            limit = share.limit();
            if (share.pace().isEmpty()) {
                window = null;
            } else if (window == null) {
                window = new StartPace.Window(share.pace().get());
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
        boolean admit(Slot slot, long now) {
            if (held < limit && (!hasAny() || !slot.wish.first()) && mayStart(slot, now)) {
                hold(slot);
                return true;
            }
            lineOf(slot).add(slot);
            return false;
        }

        private boolean mayStart(Slot slot, long now) {
            return window == null || !slot.wish.first() || window.waitMs(now) == 0;
        }

        private void hold(Slot slot) {
            slot.place = Slot.Place.HELD;
            held++;
            if (window != null && slot.wish.first()) {
                window.reserve();
                slot.startReserved = true;
            }
        }

        void begin(Slot slot, long now) {
            if (slot.startReserved && window != null) {
                window.start(now);
            }
            slot.startReserved = false;
        }

        void leave(Slot slot) {
            switch (slot.place) {
                case HELD -> held--;
                case IN_LINE -> lineOf(slot).remove(slot);
                case RETURNED -> {}
            }
            slot.place = Slot.Place.RETURNED;
            if (slot.startReserved && window != null) {
                window.giveUp();
            }
            slot.startReserved = false;
        }

        void advance(List<Slot> next, long now) {
            while (held < limit && hasAny() && mayStart(line().first(), now)) {
                var slot = line().next();
                hold(slot);
                next.add(slot);
            }
        }

        /** When to look again because of the pace alone; 0 when something else will be first, or was told already. */
        long alarmMs(long now) {
            if (alarmSet || window == null || held >= limit || !hasAny()) {
                return 0;
            }
            var waitMs = window.waitMs(now);
            if (waitMs == StartPace.Window.UNTIL_TOLD) {
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

        /** A lane with a pace is kept: it knows what has started. */
        boolean isEmpty() {
            return held == 0 && !hasAny() && window == null;
        }

        private Line lineOf(Slot slot) {
            return slot.wish.urgent() ? urgent : others;
        }
    }

    /** Who waits: the projects in turn, each with its runs in the order in which they came. */
    private static final class Line {
        private Map<String, Deque<Slot>> byProject = Map.of();

        boolean hasAny() {
            return !byProject.isEmpty();
        }

        void add(Slot slot) {
            if (byProject.isEmpty()) {
                byProject = new LinkedHashMap<>();
            }
            byProject
                    .computeIfAbsent(slot.wish.projectId(), _ -> new ArrayDeque<>())
                    .addLast(slot);
        }

        void remove(Slot slot) {
            byProject.computeIfPresent(slot.wish.projectId(), (_, waiting) -> {
                waiting.remove(slot);
                return waiting.isEmpty() ? null : waiting;
            });
        }

        /** The first of the project whose turn it is. */
        Slot first() {
            return byProject.values().iterator().next().getFirst();
        }

        /** The same, taken out; the project goes to the end of the line. */
        Slot next() {
            var turn = byProject.entrySet().iterator().next();
            var slot = turn.getValue().removeFirst();
            byProject.remove(turn.getKey());
            if (!turn.getValue().isEmpty()) {
                byProject.put(turn.getKey(), turn.getValue());
            }
            return slot;
        }
    }
}
