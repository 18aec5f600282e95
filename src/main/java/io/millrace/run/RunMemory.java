package io.millrace.run;

import java.util.concurrent.atomic.AtomicLong;

/**
 * About how much memory the live runs of this node take. When it is full, no new run is taken in; when it is exhausted,
 * a large run that wants still more ends MEMORY_LIMIT_EXCEEDED, so that the process does not end with all of them. Safe
 * for threads.
 */
public final class RunMemory {
    /** A tree of JSON takes about so many times its text. */
    private static final int TREE_FACTOR = 8;

    /** What a run takes beside its values: its actor and its place in the backlog. */
    private static final long RUN_BYTES = 4 * 1024;

    /** Smaller changes are not told to the other shards. */
    private static final long STEP_BYTES = 64 * 1024;

    /** A run below this is never ended for the sake of others. */
    private static final long LARGE_BYTES = 4 << 20;

    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    /** @param bytesMax what live runs may take before no new one is taken in */
    public RunMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Whether no new run should be taken in. */
    public boolean isFull() {
        return used.get() > bytesMax;
    }

    /** What live runs take now. */
    public long used() {
        return used.get();
    }

    /** The part of a run that begins. */
    Part begin(long payloadBytes) {
        return new Part(RUN_BYTES + TREE_FACTOR * payloadBytes);
    }

    /** What one run takes. Not thread safe: one actor owns it. */
    final class Part {
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

        /** Whether there is no more, and this run is among those that took it. */
        boolean isExhausted() {
            return bytes > LARGE_BYTES && used.get() > bytesMax + bytesMax / 2;
        }

        /** The run is over. */
        void free() {
            bytes = 0;
            tell();
        }

        private void tell() {
            used.addAndGet(bytes - told);
            told = bytes;
        }
    }
}
