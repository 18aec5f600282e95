package io.millrace.engine.run.admission;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;

/** What nodes ask of the permits that they share, and tell each other. Answered by {@link PermitClaimService}. */
public sealed interface PermitClaims {
    /**
     * Takes what is free of a limit, but for what other nodes have waited for longer.
     *
     * @param held how many this node's runs have already: so many it gets in any case
     * @param wanted how many it needs for all of its runs
     */
    record Claim(PermitKey key, int limit, int held, int wanted) implements PermitClaims, BusRequest<Granted> {}

    /**
     * What a node has from now on.
     *
     * @param fair what it could claim if all nodes that have or want some were short of them
     * @param surplus permits of all nodes beyond the limit, which was lowered since they were granted
     */
    record Granted(int permits, int fair, int surplus) {
        /** A grant within the limit. */
        Granted(int permits, int fair) {
            this(permits, fair, 0);
        }
    }

    /** Keeps so many, and leaves the rest to others. */
    record Keep(PermitKey key, int permits) implements PermitClaims, BusRequest<Nothing> {}

    /** Whether a node that lives has some of the permits, and so counts what uses them. */
    record AreCounted(PermitKey key) implements PermitClaims, BusRequest<Boolean> {}

    /** Forgets what nodes had that are gone. */
    record Purge() implements PermitClaims, BusRequest<Nothing> {}

    /**
     * A node is short of permits.
     *
     * @param fair its share, if all were short
     * @param owed whether it has less than that, so that nodes with more are to give some back, even if they need them
     */
    record Wanted(String key, String nodeId, int fair, boolean owed) implements PermitClaims, ClusterNotice {}

    /** A node has given permits back. */
    record Freed(String key) implements PermitClaims, ClusterNotice {}
}
