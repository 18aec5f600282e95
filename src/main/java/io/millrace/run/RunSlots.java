package io.millrace.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many runs of a project, or of the projects of a pool, execute at once on this node (contract flows-and-engine
 * 16.2, admin-api 36.3). A run that finds no slot waits in line: those with a waiting HTTP caller first, then the
 * projects of a pool in turn, and within a project whoever came first.
 *
 * <p>All shards of the node share it, so it is safe for threads; what it does under its lock takes less than a
 * microsecond, because a run of pure steps takes and returns a slot in little more.
 */
public final class RunSlots {
    private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

    /**
     * What a run asks for.
     *
     * @param share whose slots it takes
     * @param urgent whether an HTTP caller waits for the run
     */
    record Wish(ConcurrencyShare share, String projectId, boolean urgent) {}

    /** A run's place: among those that execute, or in line. Returned once; what is returned again is left alone. */
    final class Slot {
        private enum Place {
            IN_LINE,
            HELD,
            RETURNED
        }

        private final Wish wish;
        private final Runnable whenFree;
        private Place place = Place.IN_LINE;
        private boolean heldAtOnce;

        private Slot(Wish wish, Runnable whenFree) {
            this.wish = wish;
            this.whenFree = whenFree;
        }

        /** Whether the run may begin now; otherwise it is told later. */
        boolean isHeldAtOnce() {
            return heldAtOnce;
        }

        /** Gives the slot or the place in line back; whoever is next begins. */
        void giveBack() {
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
        lanes.compute(wish.share().key(), (_, known) -> {
            var lane = known == null ? new Lane() : known;
            lane.limit = wish.share().limit();
            slot.heldAtOnce = lane.admit(slot);
            return lane;
        });
        return slot;
    }

    private void giveBack(Slot slot) {
        var next = new ArrayList<Slot>(1);
        lanes.computeIfPresent(slot.wish.share().key(), (_, lane) -> {
            lane.leave(slot);
            lane.advance(next);
            return lane.isEmpty() ? null : lane;
        });
        next.forEach(granted -> granted.whenFree.run());
    }

    /** A limit has changed: those for whom there is room now begin. Nobody is sent back into line. */
    void limitChanged(ConcurrencyShare share) {
        var next = new ArrayList<Slot>();
        lanes.computeIfPresent(share.key(), (_, lane) -> {
            lane.limit = share.limit();
            lane.advance(next);
            return lane;
        });
        next.forEach(granted -> granted.whenFree.run());
    }

    /** The slots of one key. Reached only inside the map's own lock. */
    private static final class Lane {
        private final Line urgent = new Line();
        private final Line others = new Line();
        private int limit;
        private int held;

        boolean admit(Slot slot) {
            if (held < limit && !urgent.hasAny() && !others.hasAny()) {
                hold(slot);
                return true;
            }
            lineOf(slot).add(slot);
            return false;
        }

        private void hold(Slot slot) {
            slot.place = Slot.Place.HELD;
            held++;
        }

        void leave(Slot slot) {
            switch (slot.place) {
                case HELD -> held--;
                case IN_LINE -> lineOf(slot).remove(slot);
                case RETURNED -> {}
            }
            slot.place = Slot.Place.RETURNED;
        }

        void advance(List<Slot> next) {
            while (held < limit && (urgent.hasAny() || others.hasAny())) {
                var slot = (urgent.hasAny() ? urgent : others).next();
                hold(slot);
                next.add(slot);
            }
        }

        boolean isEmpty() {
            return held == 0 && !urgent.hasAny() && !others.hasAny();
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

        /** The first of the project whose turn it is; the project goes to the end of the line. */
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
