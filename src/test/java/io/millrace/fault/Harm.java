package io.millrace.fault;

import java.util.random.RandomGenerator;

/** Kind of fault that a storm injects into a server under load. */
sealed interface Harm permits ProcessHarm, DatabaseHarm, NetworkHarm, FullDisk, MemoryStorm, PoisonRun {
    /** Title under which faults are counted. */
    String title();

    /**
     * Injects the fault, and returns after it has ended: stopped processes run again, disturbed connections work as
     * before.
     */
    void strike(ServerNode node, RandomGenerator random) throws InterruptedException;
}
