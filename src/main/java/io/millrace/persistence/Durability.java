package io.millrace.persistence;

/** What a commit of embedded PostgreSQL survives. */
public enum Durability {
    /** A commit survives the loss of power. The only value for a real server. */
    FULL,
    /** A commit survives the end of processes, not that of the machine; several times faster. For tests. */
    NONE
}
