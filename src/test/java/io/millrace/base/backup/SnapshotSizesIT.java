package io.millrace.base.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.TestPostgres;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Sizes from which a backup computes its progress. */
final class SnapshotSizesIT {
    @Test
    void countsATableAndThePartitionsOfATable() throws Exception {
        try (var snapshot = SnapshotStore.open(TestPostgres.freshDatabase())) {
            var tables = snapshot.contents("0.0.0", Instant.EPOCH).tables();

            var sizes = snapshot.sizes(tables);

            assertThat(sizes).hasSameSizeAs(tables);
            assertThat(sizes.get("project_role")).isPositive();
            assertThat(sizes.get("ended_run")).isPositive();
        }
    }
}
