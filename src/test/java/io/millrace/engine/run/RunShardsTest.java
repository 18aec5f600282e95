package io.millrace.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunShardsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void makesIdsThatBelongToTheShard_howeverManyThereAre() {
        for (var count : new int[] {1, 2, 3, 62, 64, 256}) {
            var shards = new RunShards(count);
            assertThat(IntStream.range(0, count)).allSatisfy(shard -> {
                var id = shards.nextRunId(shard, NOW);
                assertThat(id).matches(Ids.PATTERN);
                assertThat(shards.shardOf(id)).isEqualTo(shard);
            });
        }
    }
}
