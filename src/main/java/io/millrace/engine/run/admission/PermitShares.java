package io.millrace.engine.run.admission;

/** How many of the permits of a limit this node may give to its runs (decision 0208). Safe for threads. */
interface PermitShares {
    /** Every permit of every limit: no other node has runs that are limited. */
    PermitShares WHOLE = new PermitShares() {
        @Override
        public int of(PermitKey key, int limit) {
            return limit;
        }

        @Override
        public void shortOf(PermitKey key, int limit) {}
    };

    /** What this node may give out of a limit; at most the limit. */
    int of(PermitKey key, int limit);

    /** A run waits here for a permit that another node may have. Takes no time: runs wait for whoever calls. */
    void shortOf(PermitKey key, int limit);
}
