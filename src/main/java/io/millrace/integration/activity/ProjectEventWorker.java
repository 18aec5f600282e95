package io.millrace.integration.activity;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.PollingVerticle;
import io.vertx.core.Future;

/** Deletes old events of projects once a minute. */
public final class ProjectEventWorker extends PollingVerticle {
    private static final long ROUND_MS = 60_000;
    private static final int TIDY_EVERY = 1_000;
    private static final long ASK_DEADLINE_MS = 30_000;

    private final Bus bus;

    public ProjectEventWorker(Bus bus) {
        super("cannot delete old events of projects", ROUND_MS, TIDY_EVERY);
        this.bus = bus;
    }

    @Override
    protected Future<Boolean> round() {
        return bus.ask(new ProjectEvents.Tidy(), ASK_DEADLINE_MS).map(false);
    }

    @Override
    protected Future<Void> tidy() {
        return Future.succeededFuture();
    }
}
