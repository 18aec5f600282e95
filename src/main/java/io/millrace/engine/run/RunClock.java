package io.millrace.engine.run;

import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** Clock, random source and event loop of a shard. */
public interface RunClock extends RunTimers.Clockwork {
    InstantSource clock();

    RandomGenerator random();

    /** Current time in the precision of a row. */
    Instant now();

    /** Runs an action after other work of the loop. May be called on any thread. */
    void later(Runnable action);
}
