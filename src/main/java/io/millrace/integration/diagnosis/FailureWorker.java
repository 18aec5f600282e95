package io.millrace.integration.diagnosis;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.integration.issue.Issues;
import io.vertx.core.Future;

/** Counts failures that no reader has counted. Once an hour, archives and deletes old issues, and records changed limits. */
public final class FailureWorker extends PollingVerticle {
    private static final long ROUND_MS = 5_000;
    private static final int ROUNDS_PER_HOUR = 720;
    private static final int BATCH = 500;
    private static final long ASK_DEADLINE_MS = 30_000;

    private final Bus bus;

    public FailureWorker(Bus bus) {
        super("cannot count failures", ROUND_MS, ROUNDS_PER_HOUR);
        this.bus = bus;
    }

    @Override
    protected Future<Void> tidy() {
        return bus.ask(new Diagnoses.RecordLimits(), ASK_DEADLINE_MS)
                .compose(_ -> bus.ask(new Issues.Tidy(), ASK_DEADLINE_MS))
                .mapEmpty();
    }

    @Override
    protected Future<Boolean> round() {
        return bus.ask(new Issues.Count(BATCH), ASK_DEADLINE_MS).map(count -> count == BATCH);
    }
}
