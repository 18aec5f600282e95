package io.millrace.authoring.table.event;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.PollingVerticle;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers record events to the webhooks of flows, from every node (contract flows-and-engine 22.6). A failed call is
 * retried with a delay and given up after a day; a repeated call starts no second run.
 */
public final class RecordEventWorker extends PollingVerticle {
    private static final Logger LOG = LoggerFactory.getLogger(RecordEventWorker.class);

    private static final long ROUND_MS = 1_000;
    private static final long ASK_DEADLINE_MS = 30_000;
    private static final int EVENTS_AT_ONCE = 100;
    private static final int ROUNDS_UNTIL_TIDYING = 3_600;

    /**
     * Lease of a claim, longer than a call; after a crash of a node its events are claimed again no later than this.
     */
    private static final Duration CLAIM = Duration.ofSeconds(40);

    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofDays(1);

    private final Bus bus;
    private final FlowCalls calls;
    private final InstantSource clock;

    public RecordEventWorker(Bus bus, FlowCalls calls, InstantSource clock) {
        super("cannot deliver record events to flows", ROUND_MS, ROUNDS_UNTIL_TIDYING);
        this.bus = bus;
        this.calls = calls;
        this.clock = clock;
    }

    @Override
    protected Future<Boolean> round() {
        return ask(new RecordEvents.Claim(CLAIM, EVENTS_AT_ONCE))
                .compose(claimed ->
                        Future.join(claimed.stream().map(this::carry).toList()).map(claimed.size() == EVENTS_AT_ONCE));
    }

    /** No cleanup is needed: delivered and abandoned events are removed at once. */
    @Override
    protected Future<Void> tidy() {
        return Future.succeededFuture();
    }

    private Future<Void> carry(EventStore.EventAttempt event) {
        var body = Json.object();
        body.set("record", event.record());
        return calls.call(event.flowId(), body, event.id())
                .transform(called -> called.succeeded()
                        ? recorded(CLAIM, () -> ask(new RecordEvents.Remove(event.id())))
                                .<Void>mapEmpty()
                        : failed(event, called.cause()));
    }

    private Future<Void> failed(EventStore.EventAttempt event, Throwable cause) {
        var now = clock.instant();
        if (event.created().plus(PATIENCE).isBefore(now)) {
            LOG.warn(
                    "dropped a record event of flow {} after the last attempt: {}", event.flowId(), cause.getMessage());
            return ask(new RecordEvents.Remove(event.id())).mapEmpty();
        }
        LOG.info("cannot deliver a record event to flow {}, retrying: {}", event.flowId(), cause.getMessage());
        var wait = WAIT.multipliedBy(event.attempts());
        var due = now.plus(wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT);
        return ask(new RecordEvents.Postpone(event.id(), due)).mapEmpty();
    }

    private <R> Future<R> ask(BusRequest<R> request) {
        return bus.ask(request, ASK_DEADLINE_MS);
    }
}
