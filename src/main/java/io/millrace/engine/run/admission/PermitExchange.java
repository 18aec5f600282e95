package io.millrace.engine.run.admission;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.engine.run.admission.PermitClaims.Freed;
import io.millrace.engine.run.admission.PermitClaims.Wanted;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims permits for the runs of this node, and returns those that other nodes need and runs here do not hold
 * (decision 0208). A lost notice costs the time until the next claim.
 */
public final class PermitExchange extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(PermitExchange.class);

    /**
     * Longer than any statement: a claim without an answer may still be executed, after a later one and against it.
     * Persistence completes every statement that it begins.
     */
    private static final long DEADLINE_MS = 600_000;

    private static final long ROUND_MS = 10_000;

    private final Bus bus;
    private final NodePermits permits;
    private final PermitBroker broker;

    public PermitExchange(Bus bus, String nodeId, NodePermits permits, ConcurrencyLimiter limiter) {
        this.bus = bus;
        this.permits = permits;
        this.broker = new PermitBroker(new EventLoop(), nodeId, permits, limiter);
    }

    private final class EventLoop implements PermitBroker.Surroundings {
        @Override
        public <R> Future<R> ask(BusRequest<R> request) {
            return bus.ask(request, DEADLINE_MS);
        }

        @Override
        public void publish(ClusterNotice notice) {
            bus.publish(notice);
        }

        @Override
        public void after(long delayMs, Runnable action) {
            vertx.setTimer(delayMs, _ -> action.run());
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }
    }

    @Override
    public Future<?> start() {
        var eventLoop = vertx.getOrCreateContext();
        bus.on(Wanted.class, broker::wanted);
        bus.on(Freed.class, broker::freed);
        permits.onShortage(grant -> eventLoop.runOnContext(_ -> broker.shortOf(grant)));
        vertx.setPeriodic(ROUND_MS, _ -> round());
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        broker.stop();
        return Future.succeededFuture();
    }

    private void round() {
        broker.round();
        bus.ask(new PermitClaims.Purge(), DEADLINE_MS)
                .onFailure(cause -> LOG.warn("cannot delete expired permits, retrying: {}", cause.getMessage()));
    }
}
