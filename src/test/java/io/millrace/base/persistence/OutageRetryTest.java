package io.millrace.base.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class OutageRetryTest {
    private final Throwable outage = DatabaseFailure.away();

    private final List<Long> pauses = new ArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final OutageRetry retry = new OutageRetry(this::pause);

    private Future<Void> pause(long ms) {
        pauses.add(ms);
        return Future.succeededFuture();
    }

    private Supplier<Future<String>> failing(int times, Throwable failure) {
        return () ->
                attempts.incrementAndGet() <= times ? Future.failedFuture(failure) : Future.succeededFuture("kept");
    }

    @Test
    void repeatsUntilTheDatabaseIsBack_withGrowingPauses() {
        var kept = retry.perform(Duration.ofHours(1), () -> false, failing(8, outage));

        assertThat(kept.result()).isEqualTo("kept");
        assertThat(pauses).containsExactly(50L, 100L, 200L, 400L, 800L, 1_600L, 2_000L, 2_000L);
    }

    @Test
    void failsAtOnce_whenTheFailureIsNoOutage() {
        var refusal = ApiException.of(ErrorCode.VALIDATION, "no");

        var kept = retry.perform(Duration.ofHours(1), () -> false, failing(1, refusal));

        assertThat(kept.cause()).isSameAs(refusal);
        assertThat(attempts).hasValue(1);
        assertThat(pauses).isEmpty();
    }

    @Test
    void repeatsAfterEveryFailure_whereTheServerCannotWorkWithoutTheResult() {
        var kept = OutageRetry.ofEveryFailure(this::pause)
                .perform(Duration.ofHours(1), () -> false, failing(3, new IllegalStateException("no such table")));

        assertThat(kept.result()).isEqualTo("kept");
        assertThat(attempts).hasValue(4);
    }

    @Test
    void failsWithTheOutage_onceItsPatienceIsUsed() {
        var kept = retry.perform(Duration.ofMillis(300), () -> false, failing(100, outage));

        assertThat(kept.cause()).isSameAs(outage);
        assertThat(pauses).containsExactly(50L, 100L, 150L);
    }

    @Test
    void stopsRepeating_onceTheResultIsNotNeeded() {
        var abandoned = new AtomicBoolean();

        var kept = retry.perform(Duration.ofHours(1), abandoned::get, () -> {
            abandoned.set(attempts.incrementAndGet() == 2);
            return Future.failedFuture(outage);
        });

        assertThat(kept.cause()).isSameAs(outage);
        assertThat(attempts).hasValue(2);
    }

    @Test
    void failsWithADefectOfTheOperation() {
        var defect = new IllegalStateException("defect");

        var kept = retry.perform(Duration.ofHours(1), () -> false, () -> {
            throw defect;
        });

        assertThat(kept.cause()).isSameAs(defect);
    }
}
