package io.millrace.engine.run.admission;

import java.util.Optional;

/**
 * What a run shares with others, and how it is limited.
 *
 * @param key what is shared: a project or its pool, a flow, a connection
 * @param limit how many execute at once
 * @param pace how many may start within a period
 */
record ConcurrencyShare(String key, int limit, Optional<StartRateLimit> pace) {
    ConcurrencyShare(String key, int limit) {
        this(key, limit, Optional.empty());
    }

    /** The same share when nothing limits it any more. */
    ConcurrencyShare unlimited() {
        return new ConcurrencyShare(key, Integer.MAX_VALUE);
    }
}
