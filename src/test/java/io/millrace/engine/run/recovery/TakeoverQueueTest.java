package io.millrace.engine.run.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakeoverQueueTest {
    private final TakeoverLimits limits = new TakeoverLimits(3, 3);
    private final TakeoverQueue queue = new TakeoverQueue(limits);

    @Test
    void knowsARun_untilItIsRemoved() {
        // Given
        var entry = queue.add(OwnedRun.of("run", 1), StartListener.nobody());
        queue.queue(entry);

        // when it is in transit
        assertThat(queue.take(10)).containsExactly(entry);

        // then it is known all the time
        assertThat(queue.has("run")).isTrue();
        assertThat(limits.room()).isEqualTo(2);
        queue.remove(entry);
        assertThat(queue.has("run")).isFalse();
        assertThat(limits.room()).isEqualTo(3);
    }

    @Test
    void forgetsAnEarlierOwnership() {
        // Given
        var earlier = queue.add(OwnedRun.of("run", 1), StartListener.nobody());
        queue.queue(earlier);

        // When
        var later = queue.add(OwnedRun.of("run", 2), StartListener.nobody());
        queue.queue(later);

        // Then
        assertThat(queue.isCurrent(earlier)).isFalse();
        assertThat(queue.add(OwnedRun.of("run", 1), StartListener.nobody())).isNull();
        assertThat(queue.take(10)).containsExactly(later);
        assertThat(limits.room()).isEqualTo(2);
    }

    @Test
    void keepsEveryCallerOfARun_whenALaterOwnershipIsAdded() {
        // Given
        var first = Promise.<Runs.StartResult>promise();
        var second = Promise.<Runs.StartResult>promise();
        queue.add(OwnedRun.of("run", 1), new StartListener.ForAnswer(first));
        queue.add(OwnedRun.of("run", 2), StartListener.nobody());

        // When
        var entry = queue.add(OwnedRun.of("run", 3), new StartListener.ForAnswer(second));
        entry.waiter().ended("run", RunStatus.SUCCEEDED);

        // Then
        assertThat(first.future().isComplete()).isTrue();
        assertThat(second.future().isComplete()).isTrue();
    }

    @Test
    void reportsNoEnd_whenARunCouldNotBeSetAside() {
        // Given
        var answer = Promise.<Runs.StartResult>promise();
        var entry = queue.add(OwnedRun.of("run", 1), new StartListener.ForAnswer(answer));

        // When
        RunTakeover.reportSetAside(entry, new IllegalStateException("the database is unavailable"));

        // Then
        assertThat(answer.future().failed()).isTrue();
        assertThat(answer.future().cause()).hasMessageContaining("OUTCOME_UNKNOWN");
    }

    @Test
    void reportsTheEnd_ofARunThatWasSetAside() {
        // Given
        var answer = Promise.<Runs.StartResult>promise();
        var entry = queue.add(OwnedRun.of("run", 1), new StartListener.ForAnswer(answer));

        // When
        RunTakeover.reportSetAside(entry, null);

        // Then
        assertThat(answer.future().result()).isEqualTo(Runs.StartResult.ended("run", RunStatus.INTERNAL_ERROR));
    }

    @Test
    void takesThoseWithACallerFirst_andPutsBackInFront() {
        // Given
        var first = added("first", StartListener.nobody());
        var second = added("second", StartListener.nobody());
        var awaited = added("awaited", new StartListener.ForAnswer(Promise.promise()));

        // When
        var taken = queue.take(2);
        assertThat(taken).containsExactly(awaited, first);
        queue.putBack(taken);

        // Then
        assertThat(queue.take(10)).containsExactly(awaited, first, second);
    }

    private TakeoverQueue.Entry added(String runId, StartListener waiter) {
        var entry = queue.add(OwnedRun.of(runId, 1), waiter);
        queue.queue(entry);
        return entry;
    }

    @Test
    void takesSuspectsUpOneAtATime_inAnyOrder() {
        // Given
        var begun = new ArrayList<Integer>();
        limits.close();
        limits.takeUp(() -> begun.add(1));
        limits.takeUp(() -> begun.add(2));
        assertThat(begun).isEmpty();

        // When, Then
        limits.open();
        assertThat(begun).hasSize(1).isSubsetOf(1, 2);
        limits.passed();
        assertThat(begun).containsExactlyInAnyOrder(1, 2);
        limits.passed();
        limits.takeUp(() -> begun.add(3));
        assertThat(begun).hasSize(3).endsWith(3);
    }

    @Test
    void suspectsARunAtItsLastChance() {
        // When, Then
        assertThat(suspicions(new TakeoverLimits(1, 3))).containsExactly(false, false, true, true, true, true);
        assertThat(suspicions(new TakeoverLimits(1, 1))).containsExactly(false, true, true, true, true, true);
        assertThat(limits.isToBeSetAside(new OwnedRun("run", 1, true, 3))).isFalse();
        assertThat(limits.isToBeSetAside(new OwnedRun("run", 1, true, 4))).isTrue();
        assertThat(limits.isPastHelp(new OwnedRun("run", 1, true, 4))).isFalse();
        assertThat(limits.isPastHelp(new OwnedRun("run", 1, true, 5))).isTrue();
    }

    private static List<Boolean> suspicions(TakeoverLimits some) {
        var suspicions = new ArrayList<Boolean>();
        for (var crashes = 0; crashes <= 5; crashes++) {
            suspicions.add(some.isSuspect(new OwnedRun("run", 1, true, crashes)));
        }
        return suspicions;
    }
}
