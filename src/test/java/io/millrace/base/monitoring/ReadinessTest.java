package io.millrace.base.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadinessTest {
    @Test
    void reportsThatTheSchemaIsBeingMigrated() {
        var readiness = new Readiness();

        readiness.migrating();
        var answer = Probes.ready(readiness).result();

        assertThat(answer.status()).isEqualTo(503);
        assertThat(readiness.report().result().phase()).isEqualTo(ServerPhase.MIGRATING);

        readiness.starting();
        assertThat(readiness.report().result().phase()).isEqualTo(ServerPhase.STARTING);
    }
}
