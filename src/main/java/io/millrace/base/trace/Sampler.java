package io.millrace.base.trace;

import java.util.Optional;

/**
 * Decides which traces are recorded. The decision depends on the trace's id only, so that every part of a trace, at any node,
 * gets the same one.
 *
 * @param followsParent true if a caller's decision is adopted
 * @param share of the traces that begin here, from 0 to 1
 */
public record Sampler(boolean followsParent, double share) {
    public Sampler {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("expected a share from 0 to 1, found " + share);
        }
    }

    boolean isSampled(String traceId, Optional<TraceContext> parent) {
        return followsParent && parent.isPresent() ? parent.get().isSampled() : isWithinShare(traceId);
    }

    /** The last 56 bits of an id are random by the second level of the standard. */
    private boolean isWithinShare(String traceId) {
        var random = Long.parseLong(traceId, 18, 32, 16);
        return random < share * (1L << 56);
    }
}
