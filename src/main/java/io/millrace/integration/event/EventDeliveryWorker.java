package io.millrace.integration.event;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.DeepJson;
import io.millrace.base.net.Fence;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends deliveries of all nodes. A failed one is retried with increasing backoff and abandoned after most of a day. Delivery is
 * at least once: a receiver may get an event twice, with the same id, when a process ended in between.
 */
public final class EventDeliveryWorker extends PollingVerticle {
    private static final Logger LOG = LoggerFactory.getLogger(EventDeliveryWorker.class);

    private static final long ROUND_MS = 1_000;
    private static final long ASK_DEADLINE_MS = 30_000;
    private static final int UNDER_WAY_MAX = 64;
    private static final int PER_DESTINATION_MAX = 8;
    private static final int RUN_EVENTS_AT_ONCE = 200;
    private static final int ATTEMPTS_MAX = 8;
    private static final int ROUNDS_UNTIL_FORGETTING = 3_600;
    private static final Duration FIRST_WAIT = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofHours(6);
    private static final Duration KEPT = Duration.ofDays(7);

    private final Bus bus;
    private final EventSender post;
    private final SecretBox box;
    private final Duration claim;
    private final InstantSource clock;

    private final Map<String, Integer> underWay = new HashMap<>();

    public EventDeliveryWorker(Bus bus, EventSender post, SecretBox box, Duration timeout, InstantSource clock) {
        super("cannot deliver events", ROUND_MS, ROUNDS_UNTIL_FORGETTING);
        this.bus = bus;
        this.post = post;
        this.box = box;
        this.claim = timeout.multipliedBy(2).plusMinutes(1);
        this.clock = clock;
    }

    /** A round ends when its deliveries are sent; it does not wait for slow receivers. */
    @Override
    protected Future<Boolean> round() {
        var free = UNDER_WAY_MAX
                - underWay.values().stream().mapToInt(Integer::intValue).sum();
        return ask(new DeliveryQueue.Spread(RUN_EVENTS_AT_ONCE))
                .compose(noted ->
                        free == 0 ? Future.succeededFuture(0) : claim(free).map(claimed -> Math.max(noted, claimed)))
                .map(count -> count == RUN_EVENTS_AT_ONCE);
    }

    /** The fence is noted before the database is asked, so that it ends before the claim. */
    private Future<Integer> claim(int free) {
        var fence = Fence.lasting(claim, System::nanoTime);
        return ask(new DeliveryQueue.Claim(claim, free, PER_DESTINATION_MAX, Map.copyOf(underWay)))
                .map(claimed -> {
                    claimed.forEach(delivery -> deliver(delivery, fence));
                    return claimed.size();
                });
    }

    @Override
    protected Future<Void> tidy() {
        return ask(new DeliveryQueue.Forget(KEPT)).mapEmpty();
    }

    private void deliver(EventDeliveryStore.DeliveryAttempt delivery, Fence fence) {
        underWay.merge(delivery.destinationId(), 1, Integer::sum);
        sent(delivery, fence)
                .transform(sent -> sent.succeeded()
                        ? recorded(claim, () -> ask(new DeliveryQueue.Delivered(delivery.id())))
                                .<Void>mapEmpty()
                        : failed(delivery, sent.cause()))
                .onComplete((_, failure) -> {
                    underWay.computeIfPresent(delivery.destinationId(), (_, count) -> count > 1 ? count - 1 : null);
                    if (failure != null) {
                        LOG.warn(
                                "cannot record the result of event delivery {}: {}",
                                delivery.id(),
                                failure.getMessage());
                    }
                });
    }

    private Future<Void> sent(EventDeliveryStore.DeliveryAttempt delivery, Fence fence) {
        return Future.succeededFuture(delivery).compose(claimed -> {
            var secret =
                    box.open(claimed.sealedSecret().getBytes(), EventDestinationService.place(claimed.destinationId()));
            return post.send(
                    claimed.url(),
                    claimed.id(),
                    claimed.action(),
                    DeepJson.trusted(Buffer.buffer(claimed.body()).getBytes()),
                    Optional.of(new String(secret, StandardCharsets.UTF_8)),
                    fence);
        });
    }

    private Future<Void> failed(EventDeliveryStore.DeliveryAttempt delivery, Throwable cause) {
        var reason = String.valueOf(cause.getMessage());
        LOG.info("event delivery {} failed, attempt {}: {}", delivery.id(), delivery.attempts(), reason);
        var again = Optional.of(clock.instant().plus(waitAfter(delivery.attempts())))
                .filter(_ -> delivery.attempts() < ATTEMPTS_MAX);
        return ask(new DeliveryQueue.Failed(delivery.id(), again, reason)).mapEmpty();
    }

    private <R> Future<R> ask(BusRequest<R> request) {
        return bus.ask(request, ASK_DEADLINE_MS);
    }

    /** Ten seconds, then four times as long each time. */
    static Duration waitAfter(int attempts) {
        var wait = FIRST_WAIT.multipliedBy(1L << 2 * (attempts - 1));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }
}
