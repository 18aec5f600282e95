package io.millrace.fault;

import java.util.random.RandomGenerator;

/** Kind of fault that a storm injects into a server under load. */
sealed interface Harm permits ProcessHarm, DatabaseHarm, NetworkHarm, FullDisk, MemoryStorm, PoisonRun {
    /** Title under which harms are counted. */
    String title();

    /** Does it, and returns when it is over: what was stopped runs again, what was disturbed is as before. */
    void strike(ServerNode node, RandomGenerator random) throws InterruptedException;
}
