package io.millrace.engine.run.admission;

import java.util.ArrayDeque;
import java.util.Collection;

/** Limit of starts in any period of that length. */
record StartRateLimit(int starts, long periodMs) {
    /**
     * The starts of the last period, and reserved starts: a run that has passed here may have to wait for another
     * permit before it begins. Has no clock: the time is an argument of each call. Not thread-safe.
     */
    static final class Window {
        /** The next start does not wait for a time, but for a reserved one to begin or to be returned. */
        static final long UNTIL_TOLD = Long.MAX_VALUE;

        /** Threads read the clock before they enter here in turn, and other nodes' clocks differ somewhat. */
        private static final long AHEAD_MS_MAX = 1_000;

        private final ArrayDeque<Long> starts = new ArrayDeque<>();
        private StartRateLimit pace;
        private int reserved;

        Window(StartRateLimit pace) {
            this.pace = pace;
        }

        /** Earlier starts still count. */
        void change(StartRateLimit other) {
            pace = other;
        }

        void remember(Collection<Long> earlier) {
            earlier.stream().sorted().forEach(starts::addLast);
        }

        int startsMax() {
            return pace.starts;
        }

        /** Number of starts that count now, including reserved ones. */
        int count(long nowMs) {
            if (!starts.isEmpty() && starts.getLast() > nowMs + AHEAD_MS_MAX) {
                countFrom(nowMs);
            }
            while (!starts.isEmpty() && starts.getFirst() + pace.periodMs <= nowMs) {
                starts.removeFirst();
            }
            return starts.size() + reserved;
        }

        /** The clock was set back: starts with a later time count as of now. */
        private void countFrom(long nowMs) {
            var known = starts.stream().map(at -> Math.min(at, nowMs)).toList();
            starts.clear();
            starts.addAll(known);
        }

        /**
         * Delay of the next start; 0 when it need not wait. Then it may be reserved.
         *
         * @param startsMax most starts in a period
         */
        long waitMs(long nowMs, int startsMax) {
            var tooMany = count(nowMs) - startsMax;
            if (tooMany < 0) {
                return 0;
            }
            if (tooMany >= starts.size()) {
                return UNTIL_TOLD;
            }
            // After a change to a slower pace more than one start must leave the period.
            return starts.stream().skip(tooMany).findFirst().orElseThrow() + pace.periodMs - nowMs;
        }

        void reserve() {
            reserved++;
        }

        void start(long nowMs) {
            giveUp();
            starts.addLast(starts.isEmpty() ? nowMs : Math.max(nowMs, starts.getLast()));
        }

        void giveUp() {
            reserved = Math.max(0, reserved - 1);
        }
    }
}
