package io.millrace.engine.run.recovery;

import io.millrace.engine.run.RunClock;

/**
 * The run of a shard that is suspected of ending servers and has been taken up. It is alone at that on its node, so that
 * a crash says for sure who is to blame; once it gets on, or has been at work for so long that it hardly is what ends
 * servers, the next one is taken up. Not thread safe: lives on its shard's event loop.
 */
final class LoneSuspect {
    private static final long PATIENCE_MS = 30_000;

    private final RunClock clock;
    private final TakeoverLimits limits;
    private String runId;
    private long timer;

    LoneSuspect(RunClock clock, TakeoverLimits limits) {
        this.clock = clock;
        this.limits = limits;
    }

    /** Does it on the event loop as soon as no other suspect is at work. */
    void takeUp(String id, Runnable begin) {
        limits.takeUp(() -> clock.later(() -> {
            runId = id;
            timer = clock.setTimer(PATIENCE_MS, () -> gotOn(id));
            begin.run();
        }));
    }

    /** A run that is no suspect, and was at work when a server ended: it has its time before any suspect. */
    void comesBefore(String id) {
        limits.comesBeforeSuspects(id);
        clock.setTimer(PATIENCE_MS, () -> limits.gotOn(id));
    }

    /** Nothing happens unless suspects wait for the run, or it is the suspect. */
    void gotOn(String id) {
        limits.gotOn(id);
        if (id.equals(runId)) {
            runId = null;
            clock.cancelTimer(timer);
            limits.passed();
        }
    }
}
