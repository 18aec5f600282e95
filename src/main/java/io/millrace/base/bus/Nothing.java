package io.millrace.base.bus;

/** The answer of a request that has nothing to say but "done". */
public enum Nothing {
    DONE
}
