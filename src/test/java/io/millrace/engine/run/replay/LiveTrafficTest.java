package io.millrace.engine.run.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Runs;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveTrafficTest {
    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
    }

    @Test
    void pausesThreeTimesAsLongAsAPortion_upToALimit() {
        assertThat(LiveTraffic.pauseNanos(0)).isZero();
        assertThat(LiveTraffic.pauseNanos(2_000_000)).isEqualTo(6_000_000);
        assertThat(LiveTraffic.pauseNanos(1_000_000_000)).isEqualTo(50_000_000);
    }

    @Test
    void isRecentForAShortTimeAfterTheEndOfARun() {
        try (var traffic = new LiveTraffic(bus)) {
            assertThat(traffic.isRecent()).isFalse();

            Waiting.until("the end of a run is noticed", () -> {
                bus.publish(new Runs.Ended("run", "project", "flow", RunStatus.SUCCEEDED));
                return traffic.isRecent();
            });

            Waiting.until("the end is long ago", () -> !traffic.isRecent());
        }
    }
}
