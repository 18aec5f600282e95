package io.millrace.base.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import io.micrometer.core.instrument.Metrics;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerRegistry;
import io.millrace.support.MovableClock;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CachesTest {
    private static final Duration TIME_TO_LIVE = Duration.ofSeconds(5);

    private final MovableClock clock = new MovableClock();

    @Test
    void forgetsWhatIsTooOld_howeverOftenItIsRead() {
        // Given
        var cache = cache("old", 10);
        cache.put("a", 1);
        clock.advance(TIME_TO_LIVE.minusMillis(1));

        // When
        var before = cache.getIfPresent("a");
        clock.advance(Duration.ofMillis(1));
        var after = cache.getIfPresent("a");

        // Then
        assertThat(before).isEqualTo(1);
        assertThat(after).isNull();
    }

    @Test
    void keepsNoMoreThanItsBound_andDoesSoOnTheThreadThatWrites() {
        // Given
        var cache = cache("many", 100);

        // When
        for (var i = 0; i < 10_000; i++) {
            cache.put("key " + i, i);
        }

        // Then
        assertThat(cache.asMap()).hasSize(100);
    }

    @Test
    void countsHitsMissesAndEvictions_ofAllCachesOfOneNameTogether() {
        // Given
        var registry = new ServerRegistry(new MeterSet());
        Metrics.addRegistry(registry);
        try {
            var one = cache("counted", 1);
            var other = cache("counted", 1);
            one.put("a", 1);
            other.put("a", 1);

            // When
            var found = Stream.of(one.getIfPresent("a"), other.getIfPresent("a"), other.getIfPresent("b"));
            one.put("b", 2);

            // Then
            assertThat(found).containsExactly(1, 1, null);
            assertThat(registry.scrape())
                    .contains(
                            "cache_gets_total{cache=\"counted\",result=\"hit\"} 2",
                            "cache_gets_total{cache=\"counted\",result=\"miss\"} 1",
                            "cache_evictions_total{cache=\"counted\"} 1");
        } finally {
            Metrics.removeRegistry(registry);
        }
    }

    @Test
    void countsForTheServersThatCount_andForNoOther() {
        // Given
        var counting = new ServerRegistry(new MeterSet());
        var silent = new ServerRegistry(new MeterSet());
        Metrics.addRegistry(counting);
        try {
            // When
            var _ = cache("counted-once", 1).getIfPresent("a");

            // Then
            assertThat(counting.scrape()).contains("cache_gets_total{cache=\"counted-once\",result=\"miss\"} 1");
            assertThat(silent.scrape()).doesNotContain("counted-once");
        } finally {
            Metrics.removeRegistry(counting);
        }
    }

    private Cache<String, Integer> cache(String name, int entriesMax) {
        return Caches.living(name, entriesMax, TIME_TO_LIVE, clock).build();
    }
}
