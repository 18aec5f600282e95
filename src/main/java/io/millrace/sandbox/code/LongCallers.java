package io.millrace.sandbox.code;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys whose last long call has ended not long ago. Their next call lets others go first from its beginning, or a
 * flow that calls long code over and over would have the first moments of each call for itself (decision 0069). Not for
 * several threads.
 */
final class LongCallers {
    private final long rememberedNanos;

    /** End of the last long call of each key, the earliest first. */
    private final Map<String, Long> endedNanos = new LinkedHashMap<>();

    LongCallers(long rememberedNanos) {
        this.rememberedNanos = rememberedNanos;
    }

    /** A long call of the key has ended. */
    void add(String key, long nowNanos) {
        endedNanos.remove(key);
        endedNanos.put(key, nowNanos);
    }

    boolean contains(String key, long nowNanos) {
        endedNanos.values().removeIf(ended -> nowNanos - ended > rememberedNanos);
        return endedNanos.containsKey(key);
    }
}
