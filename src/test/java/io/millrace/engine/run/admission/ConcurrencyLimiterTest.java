package io.millrace.engine.run.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.admission.ConcurrencyLimiter.Permit;
import io.millrace.support.MovableClock;
import io.millrace.support.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConcurrencyLimiterTest {
    private final MovableClock clock = new MovableClock();
    private final List<Long> alarms = new ArrayList<>();
    private final List<Runnable> rings = new ArrayList<>();
    private final ConcurrencyLimiter permits = new ConcurrencyLimiter(clock, this::alarm);
    private final List<String> begun = new ArrayList<>();

    private void alarm(long delayMs, Runnable action) {
        alarms.add(delayMs);
        rings.add(action);
    }

    private Permit take(String run, String project, String key, int limit, boolean urgent) {
        var permit = permits.take(
                new ConcurrencyLimiter.PermitRequest(new ConcurrencyShare(key, limit), project, urgent),
                () -> begun.add(run));
        if (permit.isHeldAtOnce()) {
            begun.add(run);
        }
        return permit;
    }

    private Permit take(String run, String project, int limit) {
        return take(run, project, project, limit, false);
    }

    @Test
    void startsAsManyRunsAsTheLimit() {
        // When
        var first = take("a1", "a", 2);
        var second = take("a2", "a", 2);
        take("a3", "a", 2);
        take("b1", "b", 2);

        // Then
        assertThat(begun).containsExactly("a1", "a2", "b1");

        // When
        second.giveBack();
        first.giveBack();

        // Then
        assertThat(begun).containsExactly("a1", "a2", "b1", "a3");
    }

    @Test
    void givesBackOnce() {
        // Given
        var first = take("a1", "a", 1);
        take("a2", "a", 1);
        take("a3", "a", 1);

        // When
        first.giveBack();
        first.giveBack();

        // Then
        assertThat(begun).containsExactly("a1", "a2");
    }

    @Test
    void reportsAShortQueue_whenQueuedRunsAreCancelled() {
        // Given
        var told = new AtomicInteger();
        permits.onLineShort(told::incrementAndGet);
        take("a0", "a", 1);
        var waiting = new ArrayList<Permit>();
        for (var run = 0; run < 1_000; run++) {
            waiting.add(take("w" + run, "a", 1));
        }
        assertThat(permits.crowdedProjects()).containsExactly("a");

        // when all waiting runs are canceled
        waiting.forEach(Permit::giveBack);

        // Then
        assertThat(permits.crowdedProjects()).isEmpty();
        assertThat(told).hasValue(1);
    }

    @Test
    void prefersRunsWhoseCallerWaits() {
        // Given
        var held = take("a1", "a", 1);
        take("a2", "a", 1);
        var urgent = take("a3", "a", "a", 1, true);

        // When
        held.giveBack();
        urgent.giveBack();

        // Then
        assertThat(begun).containsExactly("a1", "a3", "a2");
    }

    @Test
    void servesTheProjectsOfAPoolInTurn() {
        // Given
        var held = take("a1", "a", "pool", 1, false);
        take("a2", "a", "pool", 1, false);
        take("a3", "a", "pool", 1, false);
        take("b1", "b", "pool", 1, false);
        take("c1", "c", "pool", 5, false);

        // then the newest limit applies
        assertThat(begun).containsExactly("a1");
        permits.limitChanged(new ConcurrencyShare("pool", 4));
        assertThat(begun).containsExactly("a1", "a2", "b1", "c1");
        held.giveBack();
        assertThat(begun).containsExactly("a1", "a2", "b1", "c1", "a3");
    }

    @Test
    void forgetsWhoLeavesTheLine() {
        // Given
        var held = take("a1", "a", 1);
        var waiting = take("a2", "a", 1);
        take("a3", "a", 1);

        // When
        waiting.giveBack();
        held.giveBack();

        // Then
        assertThat(begun).containsExactly("a1", "a3");
    }

    @Test
    void stopsNoExecutingRun_whenTheLimitIsLowered() {
        // Given
        var first = take("a1", "a", 2);
        var second = take("a2", "a", 2);
        take("a3", "a", 2);

        // When
        permits.limitChanged(new ConcurrencyShare("a", 1));
        first.giveBack();

        // Then
        assertThat(begun).containsExactly("a1", "a2");
        second.giveBack();
        assertThat(begun).containsExactly("a1", "a2", "a3");
    }

    private RunPermit takeAll(String run, ConcurrencyShare... shares) {
        var requests = Arrays.stream(shares)
                .map(share -> new ConcurrencyLimiter.PermitRequest(share, "a", false))
                .toList();
        var place = RunAdmission.take(permits, requests, () -> begun.add(run));
        if (place.isHeldAtOnce()) {
            begun.add(run);
        }
        return place;
    }

    private static ConcurrencyShare paced(String key, int starts, long periodMs) {
        return new ConcurrencyShare(key, Integer.MAX_VALUE, Optional.of(new StartRateLimit(starts, periodMs)));
    }

    @Test
    void waitsForEveryShare_andKeepsNoOtherFlowFromTheProject() {
        // given a flow with a limit of one run, in a project with a limit of three
        var flow = new ConcurrencyShare("flow:f", 1);
        var project = new ConcurrencyShare("a", 3);

        // When
        var first = takeAll("f1", flow, project);
        var second = takeAll("f2", flow, project);
        var third = takeAll("f3", flow, project);
        takeAll("g1", project);
        takeAll("g2", project);
        var waiting = takeAll("g3", project);

        // Then
        assertThat(begun).containsExactly("f1", "g1", "g2");

        // when the next run of the flow queues behind the runs that wait for the project
        first.giveBack();
        assertThat(begun).containsExactly("f1", "g1", "g2", "g3");
        second.giveBack();
        waiting.giveBack();

        // Then
        assertThat(begun).containsExactly("f1", "g1", "g2", "g3", "f3");
        third.giveBack();
    }

    @Test
    void startsAtThePace_fromTheMomentAtWhichARunHasEverything() {
        // given a rate of two starts per second, and a project limit of one
        var flow = paced("flow:f", 2, 1_000);
        var project = new ConcurrencyShare("a", 1);
        var first = takeAll("f1", flow, project);
        var second = takeAll("f2", flow, project);
        takeAll("f3", flow, project);
        assertThat(begun).containsExactly("f1");

        // when the second begins late
        clock.advance(Duration.ofMillis(900));
        first.giveBack();
        clock.advance(Duration.ofMillis(100));
        ring();
        second.giveBack();

        // then the first start is outside of the window, the second is not
        assertThat(begun).containsExactly("f1", "f2", "f3");
        takeAll("f4", flow, new ConcurrencyShare("a", 5));
        assertThat(begun).hasSize(3);
        clock.advance(Duration.ofMillis(900));
        ring();
        assertThat(begun).containsExactly("f1", "f2", "f3", "f4");
    }

    @Test
    void countsWhatStartedBefore_andLetsThoseGoOnThatHadBegun() {
        // Given
        var flow = paced("flow:f", 2, 1_000);
        permits.remember(flow, List.of(clock.millis() - 100, clock.millis() - 1_100, clock.millis() - 300));

        // When
        takeAll("f1", flow);
        var resumed = permits.take(new ConcurrencyLimiter.PermitRequest(flow, "a", true, false), () -> {});

        // Then
        assertThat(begun).isEmpty();
        assertThat(resumed.isHeldAtOnce()).isTrue();
        assertThat(alarms).containsExactly(700L);
        clock.advance(Duration.ofMillis(700));
        ring();
        assertThat(begun).containsExactly("f1");
    }

    @Test
    void letsAllBegin_whenTheLimitIsTakenAway() {
        // Given
        var flow = paced("flow:f", 1, 1_000);
        takeAll("f1", flow);
        takeAll("f2", flow);
        takeAll("f3", flow);

        // When
        permits.limitChanged(flow.unlimited());

        // Then
        assertThat(begun).containsExactly("f1", "f2", "f3");
    }

    private void ring() {
        var due = List.copyOf(rings);
        rings.clear();
        due.forEach(Runnable::run);
    }

    /** Random starts and ends: no limit is exceeded, and every waiting run starts. */
    @Test
    void keepsAllLimits_andStartsEveryRun() {
        Seeds.each(300, random -> {
            var shares = List.of(
                    new ConcurrencyShare("flow:f", 1 + random.nextInt(3)),
                    new ConcurrencyShare("connection:c", 1 + random.nextInt(3)),
                    new ConcurrencyShare("connection:d", 1 + random.nextInt(2)),
                    new ConcurrencyShare("project", 1 + random.nextInt(4)));
            var all = new ConcurrencyLimiter(clock, this::alarm);
            var running = new ArrayList<Integer>();
            var begunRuns = new ArrayList<Integer>();
            var uses = new ArrayList<List<ConcurrencyShare>>();
            var places = new ArrayList<RunPermit>();
            for (var n = 0; n < 40; n++) {
                var mine = shares.stream()
                        .filter(share -> share.key().equals("project") || random.nextBoolean())
                        .toList();
                var run = n;
                uses.add(mine);
                var place = RunAdmission.take(
                        all,
                        mine.stream()
                                .map(share -> new ConcurrencyLimiter.PermitRequest(share, "a", random.nextInt(4) == 0))
                                .toList(),
                        () -> {
                            running.add(run);
                            begunRuns.add(run);
                        });
                places.add(place);
                if (place.isHeldAtOnce()) {
                    running.add(run);
                    begunRuns.add(run);
                }
                assertWithin(shares, running, uses);
                if (random.nextInt(3) == 0 && !running.isEmpty()) {
                    Collections.swap(running, random.nextInt(running.size()), running.size() - 1);
                    places.get(running.removeLast()).giveBack();
                    assertWithin(shares, running, uses);
                }
            }
            while (!running.isEmpty()) {
                places.get(running.removeFirst()).giveBack();
                assertWithin(shares, running, uses);
            }
            assertThat(begunRuns).hasSize(40).doesNotHaveDuplicates();
        });
    }

    private static void assertWithin(
            List<ConcurrencyShare> shares, List<Integer> running, List<List<ConcurrencyShare>> uses) {
        for (var share : shares) {
            assertThat(running.stream().filter(run -> uses.get(run).contains(share)))
                    .as("runs that execute with %s", share)
                    .hasSizeLessThanOrEqualTo(share.limit());
        }
    }

    @Test
    void neverPassesTheLimit_fromManyThreads() throws InterruptedException {
        // Given
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var done = new CountDownLatch(4_000);
        var share = new ConcurrencyShare("a", 3);

        // When
        try (var threads = Executors.newFixedThreadPool(8)) {
            Seeds.each(4_000, random -> {
                var urgent = random.nextBoolean();
                threads.execute(() -> new Visit(share, urgent, inside, most, done).begin());
            });
            done.await();
        }

        // Then
        assertThat(most.get()).isBetween(1, 3);
        assertThat(inside.get()).isZero();
    }

    /** A run that executes for a moment. */
    private final class Visit {
        private final AtomicInteger inside;
        private final AtomicInteger most;
        private final CountDownLatch done;
        private final CountDownLatch known = new CountDownLatch(1);
        private final ConcurrencyShare share;
        private final boolean urgent;
        private Permit permit;

        Visit(ConcurrencyShare share, boolean urgent, AtomicInteger inside, AtomicInteger most, CountDownLatch done) {
            this.share = share;
            this.urgent = urgent;
            this.inside = inside;
            this.most = most;
            this.done = done;
        }

        void begin() {
            permit = permits.take(
                    new ConcurrencyLimiter.PermitRequest(share, "a", urgent),
                    () -> Thread.ofVirtual().start(this::execute));
            known.countDown();
            if (permit.isHeldAtOnce()) {
                execute();
            }
        }

        private void execute() {
            try {
                known.await();
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            inside.decrementAndGet();
            permit.giveBack();
            done.countDown();
        }
    }
}
