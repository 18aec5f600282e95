package io.millrace.base.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
        var registry = new SimpleMeterRegistry();
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
            assertThat(gets(registry, "hit")).isEqualTo(2);
            assertThat(gets(registry, "miss")).isEqualTo(1);
            var evicted = registry.get("cache.evictions").tag("cache", "counted");
            assertThat(evicted.counter().count()).isEqualTo(1);
        } finally {
            Metrics.removeRegistry(registry);
        }
    }

    private static double gets(MeterRegistry registry, String result) {
        return registry.get("cache.gets")
                .tags("cache", "counted", "result", result)
                .counter()
                .count();
    }

    private Cache<String, Integer> cache(String name, int entriesMax) {
        return Caches.living(name, entriesMax, TIME_TO_LIVE, clock).build();
    }
}
