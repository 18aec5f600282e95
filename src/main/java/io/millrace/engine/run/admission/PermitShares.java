package io.millrace.engine.run.admission;

/** Permits of a limit that this node may give to its runs (decision 0208). Thread-safe. */
interface PermitShares {
    /** Grants every permit of every limit: no other node has limited runs. */
    PermitShares WHOLE = new PermitShares() {
        @Override
        public int of(PermitKey key, int limit) {
            return limit;
        }

        @Override
        public void shortOf(PermitKey key, int limit) {}
    };

    /** Permits of a limit for this node; at most the limit. */
    int of(PermitKey key, int limit);

    /** A run waits here for a permit that another node may have. Must not block: runs wait for the caller. */
    void shortOf(PermitKey key, int limit);
}
