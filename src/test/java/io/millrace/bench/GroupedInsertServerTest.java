package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Seeds;
import org.junit.jupiter.api.Test;

class GroupedInsertServerTest {
    @Test
    void makesIdsOfOneLength_atEveryTimeOfTheMonotonicClock() {
        Seeds.each(1_000, random -> {
            for (var nanos = 1L; nanos > 0; nanos *= 36) {
                assertThat(GroupedInsertServer.idAt(nanos - 1, random)).hasSize(21);
                assertThat(GroupedInsertServer.idAt(nanos, random)).hasSize(21);
            }
            assertThat(GroupedInsertServer.idAt(-1, random)).hasSize(21);
        });
    }
}
