package io.millrace.engine.run.waitpoint;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.engine.run.Approvals;
import io.vertx.core.Future;

/** Polls for mails to approvers, which {@link ApprovalMails} queues. */
public final class ApprovalMailWorker extends PollingVerticle {
    private static final long ROUND_MS = 2_000;
    private static final int AT_ONCE_MAX = 20;
    private static final int ROUNDS_UNTIL_TIDY = 1_800;
    private static final long ASK_DEADLINE_MS = 30_000;

    private final Bus bus;

    public ApprovalMailWorker(Bus bus) {
        super("cannot send mails to approvers", ROUND_MS, ROUNDS_UNTIL_TIDY);
        this.bus = bus;
    }

    /** The rows of an approval end with its run. */
    @Override
    protected Future<Void> tidy() {
        return Future.succeededFuture();
    }

    @Override
    protected Future<Boolean> round() {
        return bus.ask(new Approvals.SendMails(AT_ONCE_MAX), ASK_DEADLINE_MS).map(count -> count == AT_ONCE_MAX);
    }
}
