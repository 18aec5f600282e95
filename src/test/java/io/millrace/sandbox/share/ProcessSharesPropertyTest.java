package io.millrace.sandbox.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.share.ProcessShares.Busy;
import io.millrace.sandbox.share.ProcessShares.Claim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Property test: invariants of a pool with a simulated clock under random arrivals of calls. */
final class ProcessSharesPropertyTest {
    private static final int TICK_MS = 100;
    private static final int ENDLESS_MS = Integer.MAX_VALUE;

    /** A pool with processes that start at once. */
    private static final class Pool {
        private record Call(int project, int beganMs, int tookMs) {}

        private final ProcessShares shares;
        private final Map<Integer, Deque<Integer>> waiting = new HashMap<>();
        private final Map<Integer, Long> turns = new HashMap<>();
        private final List<Call> busy = new ArrayList<>();
        private int nowMs;
        private long turn;

        Pool(ProcessShares shares) {
            this.shares = shares;
        }

        void submit(int project, int tookMs) {
            waiting.computeIfAbsent(project, _ -> new ArrayDeque<>()).add(tookMs);
        }

        int held(int project) {
            return (int) busy.stream().filter(call -> call.project() == project).count();
        }

        int waiting(int project) {
            return waiting.getOrDefault(project, new ArrayDeque<>()).size();
        }

        Busy busy() {
            var background = busy.stream()
                    .filter(call -> nowMs - call.beganMs() > ProcessShares.LONG_MS)
                    .count();
            return new Busy(busy.size(), (int) background);
        }

        void tick() {
            nowMs += TICK_MS;
            busy.removeIf(call -> nowMs - call.beganMs() >= call.tookMs());
            while (takeOne()) {
                assertThat(busy.size()).isLessThanOrEqualTo(shares.ceiling());
            }
        }

        private boolean takeOne() {
            var next = waiting.entrySet().stream()
                    .filter(entry -> !entry.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .filter(project -> shares.mayTake(held(project), busy()))
                    .min(Comparator.comparing(
                            project -> new Claim(held(project), turns.getOrDefault(project, 0L)), Claim.ORDER));
            next.ifPresent(project -> {
                turns.put(project, ++turn);
                busy.add(new Call(project, nowMs, waiting.get(project).remove()));
            });
            return next.isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void holdsItsInvariants_underRandomArrivals(long seed) {
        var random = new Random(seed);
        for (var round = 0; round < 60; round++) {
            var usual = 1 + random.nextInt(8);
            var pool = new Pool(new ProcessShares(usual, usual + 2 + random.nextInt(20)));
            var projects = 1 + random.nextInt(12);
            for (var tick = 0; tick < 300; tick++) {
                for (var call = random.nextInt(4); call > 0; call--) {
                    var project = random.nextInt(projects);
                    pool.submit(project, 50 + random.nextInt(random.nextInt(5) == 0 ? 20_000 : 900));
                }
                pool.tick();
                assertInvariants(pool, projects);
            }
        }
    }

    private static void assertInvariants(Pool pool, int projects) {
        var shares = pool.shares;
        var busy = pool.busy();
        for (var project = 0; project < projects; project++) {
            assertThat(pool.held(project)).isLessThanOrEqualTo(shares.usual());
            if (pool.waiting(project) > 0 && pool.held(project) == 0) {
                assertThat(busy.all()).as("a project without a process waits").isEqualTo(shares.ceiling());
            }
            if (pool.waiting(project) > 0 && busy.all() < shares.usual()) {
                throw new AssertionError("a call waits while usual processes are free");
            }
        }
    }

    /** Each greedy project keeps 20 calls in flight; a project that starts later is served at its first tick. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 9})
    void servesAnotherProjectAtOnce_whileOthersAreGreedy(int greedy) {
        for (var tookMs : List.of(ENDLESS_MS, 900, 1_100, 5_000)) {
            var pool = new Pool(new ProcessShares(5, 21));
            for (var tick = 0; tick < 600; tick++) {
                for (var project = 1; project <= greedy; project++) {
                    while (pool.waiting(project) < 20) {
                        pool.submit(project, tookMs);
                    }
                }
                if (tick % 7 == 0) {
                    pool.submit(0, 50);
                }
                pool.tick();
                assertThat(pool.waiting(0))
                        .as("%d greedy projects with calls of %d ms", greedy, tookMs)
                        .isZero();
            }
        }
    }

    @Test
    void givesOneProjectAlone_allUsualProcesses() {
        var pool = new Pool(new ProcessShares(5, 7));
        for (var call = 0; call < 50; call++) {
            pool.submit(1, 400);
        }
        while (pool.waiting(1) > 0) {
            pool.tick();
            assertThat(pool.held(1)).isEqualTo(5);
        }
    }

    /** Short calls of two projects share the usual processes evenly, although one project was first. */
    @Test
    void levelsShares_asCallsEnd() {
        var pool = new Pool(new ProcessShares(6, 10));
        for (var call = 0; call < 200; call++) {
            pool.submit(1, 300);
        }
        pool.tick();
        assertThat(pool.held(1)).isEqualTo(6);
        for (var call = 0; call < 200; call++) {
            pool.submit(2, 300);
        }
        for (var tick = 0; tick < 12; tick++) {
            pool.tick();
        }

        assertThat(List.of(pool.held(1), pool.held(2))).containsExactly(3, 3);
    }
}
