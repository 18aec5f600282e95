package io.millrace.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownLimitsTest {
    private final List<Future<Integer>> answers = new ArrayList<>();
    private final KnownLimits<Integer> limits = new KnownLimits<>(_ -> answers.removeFirst());
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
}
