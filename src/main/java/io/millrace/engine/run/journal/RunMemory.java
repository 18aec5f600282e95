package io.millrace.engine.run.journal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Approximate memory of the live runs of this node. When it is full, no further run is accepted or taken over; when it
 * is exhausted, a large run yields before its next step and continues from its rows when there is memory again. Only a
 * run that is too large alone ends MEMORY_LIMIT_EXCEEDED, so that the process does not end with all runs. Thread-safe.
 */
public final class RunMemory {
    /** Approximate ratio of the size of a JSON tree to that of its text. */
    private static final int TREE_FACTOR = 8;

    /** Memory of a run without its values: its actor and its entry in the backlog. */
    private static final long RUN_BYTES = 4 * 1024;

    /** Smaller changes are not reported to the other shards. */
    private static final long STEP_BYTES = 64 * 1024;

    /** Size below which a run never yields. */
    private static final long LARGE_BYTES = 4 << 20;

    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();
    private final AtomicBoolean reading = new AtomicBoolean();
    private final Set<Object> waiting = ConcurrentHashMap.newKeySet();

    /** @param bytesMax memory of live runs at which no new one is accepted */
    public RunMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Returns whether no run should be taken over. */
    public boolean isFull() {
        return used.get() > bytesMax;
    }

    /**
     * Returns whether no new run should be accepted: while accepted ones wait for memory, some of it is reserved for
     * them.
     */
    public boolean isFullForNew() {
        return used.get() > (waiting.isEmpty() ? bytesMax : bytesMax / 4 * 3);
    }

    public void waits(Object who, boolean still) {
        if (still) {
            waiting.add(who);
        } else {
            waiting.remove(who);
        }
    }

    /**
     * Returns whether the caller may parse stored text now: one at a time, because the size of the values is known only
     * afterwards.
     */
    public boolean beginReading() {
        return reading.compareAndSet(false, true);
    }

    public void endReading() {
        reading.set(false);
    }

    public long used() {
        return used.get();
    }

    public Part begin(long payloadBytes) {
        return new Part(RUN_BYTES + TREE_FACTOR * payloadBytes);
    }

    private long exhausted() {
        return bytesMax + bytesMax / 2;
    }

    /** Memory of one run. Not thread-safe: one actor owns it. */
    public final class Part {
        private long bytes;
        private long told;

        private Part(long bytes) {
            this.bytes = bytes;
            tell();
        }

        /** The run holds a value with that many bytes of text as a tree. */
        public void addTree(long textBytes) {
            addText(TREE_FACTOR * textBytes);
        }

        /** The run holds that many bytes. */
        void addText(long textBytes) {
            bytes += textBytes;
            if (Math.abs(bytes - told) >= STEP_BYTES) {
                tell();
            }
        }

        /**
         * Returns whether memory is exhausted and this run is among those that took it. A run that is too large alone
         * does not yield: it would return with the same size and yield endlessly.
         */
        public boolean isToGiveWay() {
            return bytes > LARGE_BYTES && used.get() > exhausted() && !isTooLarge();
        }

        /** Returns whether memory would be exhausted with this run alone. */
        public boolean isTooLarge() {
            return bytes > LARGE_BYTES && bytes > exhausted();
        }

        public void free() {
            bytes = 0;
            tell();
        }

        private void tell() {
            used.addAndGet(bytes - told);
            told = bytes;
        }
    }
}
