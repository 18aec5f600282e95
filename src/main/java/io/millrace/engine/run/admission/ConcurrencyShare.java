package io.millrace.engine.run.admission;

import java.util.Optional;

/**
 * A shared limit of runs.
 *
 * @param key shared object: a project or its pool, a flow, a connection
 * @param limit most runs that execute at once
 * @param pace most starts within a period
 */
record ConcurrencyShare(String key, int limit, Optional<StartRateLimit> pace) {
    ConcurrencyShare(String key, int limit) {
        this(key, limit, Optional.empty());
    }

    ConcurrencyShare unlimited() {
        return new ConcurrencyShare(key, Integer.MAX_VALUE);
    }
}
