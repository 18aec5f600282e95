package io.millrace.base.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Expiry of data with a clock of the node that differs from that of the database. */
class ExpiryTimeIT {
    private final Vertx vertx = TestPostgres.vertx();
    private final Database database = Database.open(vertx, TestPostgres.freshDatabase());

    @AfterEach
    void close() {
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }

    @Test
    void isTheTimeOfTheDatabase_whenTheClockOfTheNodeIsYearsAhead() {
        var ahead = Instant.now().plus(Duration.ofDays(3_650));

        assertThat(expiry(ahead)).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    }

    @Test
    void isTheTimeOfTheNode_whenItsClockIsBehind() {
        var behind = Instant.now().minus(Duration.ofDays(3_650)).truncatedTo(ChronoUnit.MICROS);

        assertThat(expiry(behind)).isEqualTo(behind);
    }

    private Instant expiry(Instant ofNode) {
        return Waiting.await(database.read(tx -> ExpiryTime.now(tx, InstantSource.fixed(ofNode))));
    }
}
