package io.millrace.sandbox.code.pool;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys with a recent long call. Their next call begins with a lower priority; otherwise a flow that repeats long calls would have
 * full priority at the start of each one (decision 0057). Not thread-safe.
 */
final class LongCallers {
    private final long rememberedNanos;

    /** End of the last long call of each key, the earliest first. */
    private final Map<String, Long> endedNanos = new LinkedHashMap<>();

    LongCallers(long rememberedNanos) {
        this.rememberedNanos = rememberedNanos;
    }

    void add(String key, long nowNanos) {
        endedNanos.remove(key);
        endedNanos.put(key, nowNanos);
    }

    boolean contains(String key, long nowNanos) {
        endedNanos.values().removeIf(ended -> nowNanos - ended > rememberedNanos);
        return endedNanos.containsKey(key);
    }
}
