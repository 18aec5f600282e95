package io.millrace.base.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TopicsTest {
    private final AtomicLong now = new AtomicLong();
    private final Topics topics = new Topics(now::get);

    private void passes(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void takesAnythingForWatched_untilOthersHaveSpoken() {
        assertThat(topics.isWatched("runs")).isTrue();
        passes(Duration.ofSeconds(6));
        assertThat(topics.isWatched("runs")).isFalse();
    }

    @Test
    void believesForAWhileWhatAnotherNodeWatches() {
        passes(Duration.ofSeconds(6));
        topics.said("other", Set.of("runs"));
        assertThat(topics.isWatched("runs")).isTrue();
        assertThat(topics.isWatched("flows")).isFalse();

        passes(Duration.ofSeconds(11));
        topics.forgetOld();
        assertThat(topics.isWatched("runs")).isFalse();
    }

    @Test
    void saysWhatIsWatchedHere_asLongAsSomebodyDoes() {
        assertThat(topics.change(new Cluster.Watch("runs", true))).isTrue();
        assertThat(topics.change(new Cluster.Watch("runs", true))).isFalse();
        assertThat(topics.change(new Cluster.Watch("runs", false))).isFalse();
        assertThat(topics.here()).containsExactly("runs");
        assertThat(topics.change(new Cluster.Watch("runs", false))).isTrue();
        assertThat(topics.here()).isEmpty();
    }
}
