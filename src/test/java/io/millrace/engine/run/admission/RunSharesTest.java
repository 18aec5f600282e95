package io.millrace.engine.run.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.cache.Caches;
import io.millrace.support.MovableClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunSharesTest {
    private final List<Future<Integer>> answers = new ArrayList<>();
    private final MovableClock clock = new MovableClock();
    private final RunShares.LimitCache<Integer> limits =
            new RunShares.LimitCache<>(_ -> answers.removeFirst(), Caches.ticker(clock));
    private final List<Integer> begun = new ArrayList<>();
    private final List<Throwable> refused = new ArrayList<>();

    @Test
    void letsNothingBegin_whenTheLimitCannotBeFoundOut() {
        // Given
        var away = new IllegalStateException("away");
        answers.add(Future.failedFuture(away));

        // When
        limits.whenKnown("project", refused::add, begun::add);

        // Then
        assertThat(refused).containsExactly(away);
        assertThat(begun).isEmpty();
    }

    @Test
    void looksAgain_whenItFailedBefore() {
        // Given
        answers.add(Future.failedFuture("away"));
        answers.add(Future.succeededFuture(3));
        limits.whenKnown("project", refused::add, begun::add);

        // When
        limits.whenKnown("project", refused::add, begun::add);
        limits.whenKnown("project", refused::add, begun::add);

        // Then
        assertThat(begun).containsExactly(3, 3);
        assertThat(refused).hasSize(1);
    }

    @Test
    void usesTheKnownShares_whileItReadsThemAgainAfterAMinute() {
        // Given
        var later = Promise.<Integer>promise();
        answers.add(Future.succeededFuture(3));
        answers.add(later.future());
        limits.whenKnown("project", refused::add, begun::add);
        clock.advance(Duration.ofSeconds(61));

        // When
        limits.whenKnown("project", refused::add, begun::add);
        limits.whenKnown("project", refused::add, begun::add);
        later.complete(5);
        limits.whenKnown("project", refused::add, begun::add);

        // Then
        assertThat(answers).isEmpty();
        assertThat(begun).containsExactly(3, 3, 3, 5);
    }

    @Test
    void keepsWhatItKnows_whenItCannotLookAgain() {
        // Given
        answers.add(Future.succeededFuture(3));
        answers.add(Future.failedFuture("away"));
        limits.whenKnown("project", refused::add, begun::add);
        clock.advance(Duration.ofSeconds(61));

        // When
        limits.whenKnown("project", refused::add, begun::add);
        limits.whenKnown("project", refused::add, begun::add);

        // Then
        assertThat(begun).containsExactly(3, 3, 3);
        assertThat(refused).isEmpty();
        assertThat(limits.ids()).containsExactly("project");
    }

    @Test
    void prefersWhatAChangeBrought_toALookThatBeganBefore() {
        // Given
        var earlier = Promise.<Integer>promise();
        answers.add(Future.succeededFuture(3));
        answers.add(earlier.future());
        answers.add(Future.succeededFuture(7));
        limits.whenKnown("project", refused::add, begun::add);
        clock.advance(Duration.ofSeconds(61));
        limits.whenKnown("project", refused::add, begun::add);

        // When
        limits.lookAgain("project", _ -> {});
        earlier.complete(5);
        limits.whenKnown("project", refused::add, begun::add);

        // Then
        assertThat(begun).containsExactly(3, 3, 7);
    }
}
