package io.millrace.engine.run.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.support.MovableClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Nodes that share the permits of one limit: the real limiter, grants and broker of each, a model of the table, and a
 * scheduler that delays every request, response and notice at random, and loses some. After each event, no more runs
 * may hold a permit than the limit.
 */
final class PermitSimulation {
    private static final String KEY = "project";
    private static final long TERM = 1;
    private static final long WANTS_FOR_MS = 2_000;
    private static final int LATENCY_MS_MAX = 30;

    private final Random random;
    private int limit;

    /** Largest number of runs that may hold a permit now: after the limit was lowered, runs with a permit end first. */
    private int allowed;

    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Row> rows = new HashMap<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atMs).thenComparingLong(Event::number));
    private long nowMs;
    private long scheduled;
    private int running;
    private int runningMax;
    private int unfinished;

    private record Event(long atMs, long number, Runnable action) {}

    /** A row of {@code run_permit}. */
    private record Row(int permits, long wantedSinceMs, long wantedAtMs) {
        private static final Row NONE = new Row(0, -1, -1);

        boolean wants(long nowMs) {
            return wantedAtMs >= 0 && wantedAtMs > nowMs - WANTS_FOR_MS;
        }
    }

    PermitSimulation(Random random, int nodeCount, int limit) {
        this.random = random;
        this.limit = limit;
        this.allowed = limit;
        for (var number = 0; number < nodeCount; number++) {
            nodes.add(new Node("node-" + number));
        }
    }

    /** Largest number of runs that held a permit concurrently. */
    int runningMax() {
        return runningMax;
    }

    /**
     * Lowers the limit while runs are active. The nodes learn of it with their next run; after each has learned of it,
     * and earlier runs have ended, all nodes together respect it.
     */
    void lowerTo(int lower, long atMs, long convergedMs) {
        after(atMs, () -> limit = lower);
        after(convergedMs, () -> allowed = lower);
    }

    /** Lets runs arrive at all nodes, and continues until each has ended. */
    void run(int runs) {
        unfinished = runs;
        for (var count = 0; count < runs; count++) {
            var node = nodes.get(random.nextInt(nodes.size()));
            // In bursts, so that shortage and idle times alternate.
            after(random.nextInt(20) * 400L + random.nextInt(60), node::arrive);
        }
        nodes.forEach(node -> every(10_000, node.broker::round));
        while (unfinished > 0) {
            var event = events.remove();
            nowMs = event.atMs();
            event.action().run();
            assertThat(running).as("runs that hold a permit at %s ms", nowMs).isLessThanOrEqualTo(allowed);
            assertThat(nowMs).as("time with %s runs unfinished", unfinished).isLessThan(600_000);
        }
    }

    private void after(long delayMs, Runnable action) {
        events.add(new Event(nowMs + delayMs, scheduled++, action));
    }

    private void every(long periodMs, Runnable action) {
        after(periodMs, () -> {
            action.run();
            every(periodMs, action);
        });
    }

    private void soon(Runnable action) {
        after(random.nextInt(LATENCY_MS_MAX), action);
    }

    private boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    private final class Node implements PermitBroker.Surroundings {
        private final String id;
        private final ConcurrencyLimiter limiter;
        private final PermitBroker broker;

        Node(String id) {
            this.id = id;
            var permits = new NodePermits(() -> TERM);
            var clock = new MovableClock();
            this.limiter = new ConcurrencyLimiter(clock, (delayMs, action) -> after(delayMs, action), permits);
            this.broker = new PermitBroker(this, id, permits, limiter);
            permits.onShortage(grant -> after(random.nextInt(4), () -> broker.shortOf(grant)));
        }

        void arrive() {
            var request = new ConcurrencyLimiter.PermitRequest(new ConcurrencyShare(KEY, limit), KEY, false);
            var place = new ConcurrencyLimiter.Permit[1];
            place[0] = limiter.take(request, () -> begin(place));
            if (place[0].isHeldAtOnce()) {
                begin(place);
            }
        }

        private void begin(ConcurrencyLimiter.Permit[] place) {
            running++;
            runningMax = Math.max(runningMax, running);
            after(1 + random.nextInt(oneIn(10) ? 300 : 40), () -> {
                running--;
                unfinished--;
                place[0].giveBack();
            });
        }

        @Override
        @SuppressWarnings("unchecked") // the class of the request names that of its answer
        public <R> Future<R> ask(BusRequest<R> request) {
            var promise = Promise.<R>promise();
            soon(() -> {
                var answer = oneIn(40) ? null : (R) execute(request);
                // A failure may follow an execution: the outcome is unknown to the node.
                if (answer == null || oneIn(40)) {
                    soon(() -> promise.fail(ApiException.of(ErrorCode.UNAVAILABLE, "simulated")));
                } else {
                    soon(() -> promise.complete(answer));
                }
            });
            return promise.future();
        }

        private Object execute(BusRequest<?> request) {
            return switch (request) {
                case PermitClaims.Claim claim -> claim(id, claim);
                case PermitClaims.Keep keep -> {
                    rows.computeIfPresent(
                            id, (_, row) -> new Row(keep.permits(), row.wantedSinceMs(), row.wantedAtMs()));
                    yield Nothing.DONE;
                }
                default -> throw new IllegalArgumentException("expected a claim, found " + request);
            };
        }

        @Override
        public void publish(ClusterNotice notice) {
            nodes.forEach(node -> {
                if (!oneIn(25)) {
                    soon(() -> node.receive(notice));
                }
            });
        }

        private void receive(ClusterNotice notice) {
            switch (notice) {
                case PermitClaims.Wanted wanted -> broker.wanted(wanted);
                case PermitClaims.Freed freed -> broker.freed(freed);
                default -> throw new IllegalArgumentException("expected a notice of permits, found " + notice);
            }
        }

        @Override
        public void after(long delayMs, Runnable action) {
            PermitSimulation.this.after(delayMs, action);
        }

        @Override
        public long nanoTime() {
            return nowMs * 1_000_000;
        }
    }

    /** Like the statement of {@link PermitClaimService}. */
    private PermitClaims.PermitGrant claim(String nodeId, PermitClaims.Claim claim) {
        var own = rows.getOrDefault(nodeId, Row.NONE);
        var since = own.wants(nowMs) ? own.wantedSinceMs() : nowMs;
        var others = rows.entrySet().stream()
                .filter(row -> !row.getKey().equals(nodeId))
                .map(Map.Entry::getValue)
                .toList();
        var sharing = others.stream()
                .filter(row -> row.permits() > 0 || row.wants(nowMs))
                .count();
        var fair = (int) (claim.limit() / (1 + sharing));
        var least = Math.max(1, fair);
        var taken = others.stream().mapToInt(Row::permits).sum();
        var owed = others.stream()
                .filter(row -> row.wants(nowMs) && (row.wantedSinceMs() < since || own.permits() >= least))
                .mapToInt(row -> Math.max(0, least - row.permits()))
                .sum();
        var granted = Math.max(claim.held(), claim.limit() - taken - owed);
        var isShort = granted < claim.wanted();
        rows.put(nodeId, new Row(granted, isShort ? since : -1, isShort ? nowMs : -1));
        return new PermitClaims.PermitGrant(granted, fair, Math.max(0, granted + taken - claim.limit()));
    }

    /** Simulated time. */
    Duration time() {
        return Duration.ofMillis(nowMs);
    }
}
