package io.millrace.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.run.RunSlots.Slot;
import io.millrace.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RunSlotsTest {
    private final RunSlots slots = new RunSlots();
    private final List<String> begun = new ArrayList<>();

    private Slot take(String run, String project, String key, int limit, boolean urgent) {
        var slot =
                slots.take(new RunSlots.Wish(new ConcurrencyShare(key, limit), project, urgent), () -> begun.add(run));
        if (slot.isHeldAtOnce()) {
            begun.add(run);
        }
        return slot;
    }

    private Slot take(String run, String project, int limit) {
        return take(run, project, project, limit, false);
    }

    @Test
    void letsAsManyBeginAsTheLimitSays() {
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

        // Then: the newest limit counts
        assertThat(begun).containsExactly("a1");
        slots.limitChanged(new ConcurrencyShare("pool", 4));
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
    void sendsNobodyBack_whenTheLimitShrinks() {
        // Given
        var first = take("a1", "a", 2);
        var second = take("a2", "a", 2);
        take("a3", "a", 2);

        // When
        slots.limitChanged(new ConcurrencyShare("a", 1));
        first.giveBack();

        // Then
        assertThat(begun).containsExactly("a1", "a2");
        second.giveBack();
        assertThat(begun).containsExactly("a1", "a2", "a3");
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
        private Slot slot;

        Visit(ConcurrencyShare share, boolean urgent, AtomicInteger inside, AtomicInteger most, CountDownLatch done) {
            this.share = share;
            this.urgent = urgent;
            this.inside = inside;
            this.most = most;
            this.done = done;
        }

        void begin() {
            slot = slots.take(
                    new RunSlots.Wish(share, "a", urgent),
                    () -> Thread.ofVirtual().start(this::execute));
            known.countDown();
            if (slot.isHeldAtOnce()) {
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
            slot.giveBack();
            done.countDown();
        }
    }
}
