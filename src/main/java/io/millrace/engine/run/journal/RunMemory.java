package io.millrace.engine.run.journal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * About how much memory the live runs of this node take. When it is full, no further run is taken in or up; when it is
 * exhausted, a large run gives way before its next step: it goes on from its rows when there is room again. Only one that
 * is too large on its own ends MEMORY_LIMIT_EXCEEDED, so that the process does not end with all of them. Safe for
 * threads.
 */
public final class RunMemory {
    /** A tree of JSON takes about so many times its text. */
    private static final int TREE_FACTOR = 8;

    /** What a run takes beside its values: its actor and its place in the backlog. */
    private static final long RUN_BYTES = 4 * 1024;

    /** Smaller changes are not told to the other shards. */
    private static final long STEP_BYTES = 64 * 1024;

    /** A run below this never gives way. */
    private static final long LARGE_BYTES = 4 << 20;

    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();
    private final AtomicBoolean reading = new AtomicBoolean();
    private final Set<Object> waiting = ConcurrentHashMap.newKeySet();

    /** @param bytesMax what live runs may take before no new one is taken in */
    public RunMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Whether no run should be taken up. */
    public boolean isFull() {
        return used.get() > bytesMax;
    }

    /** Whether no new run should be taken in: while accepted ones wait for memory, some of it is theirs alone. */
    public boolean isFullForNew() {
        return used.get() > (waiting.isEmpty() ? bytesMax : bytesMax / 4 * 3);
    }

    /** Whether somebody waits for memory. */
    public void waits(Object who, boolean still) {
        if (still) {
            waiting.add(who);
        } else {
            waiting.remove(who);
        }
    }

    /** Whether the caller may make trees of stored text now: one at a time, as only then it is known what they take. */
    public boolean beginReading() {
        return reading.compareAndSet(false, true);
    }

    public void endReading() {
        reading.set(false);
    }

    /** What live runs take now. */
    public long used() {
        return used.get();
    }

    /** The part of a run that begins. */
    public Part begin(long payloadBytes) {
        return new Part(RUN_BYTES + TREE_FACTOR * payloadBytes);
    }

    private long exhausted() {
        return bytesMax + bytesMax / 2;
    }

    /** What one run takes. Not thread safe: one actor owns it. */
    public final class Part {
        private long bytes;
        private long told;

        private Part(long bytes) {
            this.bytes = bytes;
            tell();
        }

        /** The run keeps a value of so many bytes of text as a tree. */
        void addTree(long textBytes) {
            addText(TREE_FACTOR * textBytes);
        }

        /** The run keeps so many bytes. */
        void addText(long textBytes) {
            bytes += textBytes;
            if (Math.abs(bytes - told) >= STEP_BYTES) {
                tell();
            }
        }

        /**
         * Whether there is no more, and this run is among those that took it. One that is too large on its own would give
         * way for ever: as large as it is it would come back.
         */
        public boolean isToGiveWay() {
            return bytes > LARGE_BYTES && used.get() > exhausted() && !isTooLarge();
        }

        /** Whether there would be no more if this run were the only one. */
        public boolean isTooLarge() {
            return bytes > LARGE_BYTES && bytes > exhausted();
        }

        /** The run is over. */
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
