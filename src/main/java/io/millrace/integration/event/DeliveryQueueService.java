package io.millrace.integration.event;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.DeepJson;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

public final class DeliveryQueueService implements BusService {
    private final Database database;
    private final EventSender post;
    private final InstantSource clock;
    private final EventDeliveryStore store = new EventDeliveryStore();
    private final RunEventStore runEvents = new RunEventStore();

    public DeliveryQueueService(Database database, EventSender post, InstantSource clock) {
        this.database = database;
        this.post = post;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(DeliveryQueue.Spread.class, spread -> database.inTransaction(tx -> spread(tx, spread.limit())));
        bus.serve(DeliveryQueue.Claim.class, this::claim);
        bus.serve(
                DeliveryQueue.Delivered.class,
                delivered -> database.inTransaction(tx -> store.done(tx, delivered.id(), clock.instant()))
                        .map(Nothing.DONE));
        bus.serve(
                DeliveryQueue.Failed.class,
                failed -> database.inTransaction(tx -> store.failed(tx, failed.id(), failed.again(), failed.reason()))
                        .map(Nothing.DONE));
        bus.serve(
                DeliveryQueue.Forget.class,
                forget -> database.inTransaction(tx ->
                                ExpiryTime.now(tx, clock).compose(now -> store.forget(tx, now.minus(forget.kept()))))
                        .map(Nothing.DONE));
    }

    private Future<List<EventDeliveryStore.DeliveryAttempt>> claim(DeliveryQueue.Claim claim) {
        var now = clock.instant();
        return database.inTransaction(tx -> store.claim(
                tx, now, now.plus(claim.validity()), claim.limit(), claim.perDestination(), claim.underWay()));
    }

    private Future<Integer> spread(Tx tx, int limit) {
        return runEvents.take(tx, limit).compose(events -> {
            var done = Future.<Void>succeededFuture();
            for (var event : events) {
                done = done.compose(_ -> spread(tx, event));
            }
            return done.map(events.size());
        });
    }

    /**
     * Creates the deliveries of a run event. If a destination is a webhook of the same flow, the event would cause an endless
     * loop; then no webhook of this server receives it (contract admin-api 23).
     */
    private Future<Void> spread(Tx tx, RunOutcomeEvent event) {
        var own = post.ownWebhooks();
        return store.targets(
                        tx,
                        event.platformId(),
                        own.stream().map(start -> start + event.run().flowId()).toList())
                .compose(loops -> store.add(
                        tx,
                        event.id(),
                        event.created(),
                        event.action(),
                        new String(DeepJson.bytes(event.toJson()), StandardCharsets.UTF_8),
                        event.platformId(),
                        loops ? own : List.of()));
    }
}
