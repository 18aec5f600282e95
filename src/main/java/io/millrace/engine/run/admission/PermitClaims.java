package io.millrace.engine.run.admission;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;

/** Requests and notices about permits that nodes share. Answered by {@link PermitClaimService}. */
public sealed interface PermitClaims {
    /**
     * Claims free permits of a limit, except those for which other nodes have waited longer.
     *
     * @param held permits in use by this node's runs, granted in any case
     * @param wanted permits needed for all of its runs
     */
    record Claim(PermitKey key, int limit, int held, int wanted) implements PermitClaims, BusRequest<PermitGrant> {}

    /**
     * Permits of a node from now on.
     *
     * @param fair its share if all nodes that have or need permits were short of them
     * @param surplus permits of all nodes beyond the limit, which was lowered since they were granted
     */
    record PermitGrant(int permits, int fair, int surplus) {
        PermitGrant(int permits, int fair) {
            this(permits, fair, 0);
        }
    }

    /** Reduces the permits of a node to this number; the rest becomes free for others. */
    record Keep(PermitKey key, int permits) implements PermitClaims, BusRequest<Nothing> {}

    /** Returns whether a live node has some of the permits, and so counts their use. */
    record AreCounted(PermitKey key) implements PermitClaims, BusRequest<Boolean> {}

    /** Deletes the permits of nodes that have ended. */
    record Purge() implements PermitClaims, BusRequest<Nothing> {}

    /**
     * A node is short of permits.
     *
     * @param fair its share if all were short
     * @param owed whether it has less than that, so that nodes with more must return some, even if they need them
     */
    record Wanted(String key, String nodeId, int fair, boolean owed) implements PermitClaims, ClusterNotice {}

    record Freed(String key) implements PermitClaims, ClusterNotice {}
}
