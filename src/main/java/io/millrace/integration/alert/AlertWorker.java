package io.millrace.integration.alert;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.PollingVerticle;
import io.vertx.core.Future;

/** Polls for failed flows, about which {@link AlertLetterService} writes alert mails. */
public final class AlertWorker extends PollingVerticle {
    private static final long ROUND_MS = 2_000;
    private static final int AT_ONCE_MAX = 20;
    private static final int ROUNDS_UNTIL_FORGETTING = 1_800;
    private static final long ASK_DEADLINE_MS = 30_000;

    private final Bus bus;

    public AlertWorker(Bus bus) {
        super("cannot send alerts", ROUND_MS, ROUNDS_UNTIL_FORGETTING);
        this.bus = bus;
    }

    @Override
    protected Future<Void> tidy() {
        return bus.ask(new FailureAlerts.Forget(), ASK_DEADLINE_MS).mapEmpty();
    }

    @Override
    protected Future<Boolean> round() {
        return bus.ask(new FailureAlerts.WriteLetters(AT_ONCE_MAX), ASK_DEADLINE_MS)
                .map(count -> count == AT_ONCE_MAX);
    }
}
