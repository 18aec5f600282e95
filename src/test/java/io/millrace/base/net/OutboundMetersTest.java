package io.millrace.base.net;

import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Outbound calls are counted by kind of host and by result. */
final class OutboundMetersTest extends OutboundCalls {
    private final MeterSet meters = new MeterSet();

    @Test
    void countsByClassOfHostAndOutcome() {
        // Given
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .setStatusCode(request.path().equals("/") ? 200 : 404)
                        .end());
        var flows = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), LIMITS, meters);
        var tokens = flows.toHosts(HostClass.OAUTH);
        var guarded = new OutboundHttp(vertx, AddressGuard.strict(), LIMITS, meters).toHosts(HostClass.FILE_STORAGE);

        // When
        result(flows.send(get(server, "/")));
        result(flows.send(get(server, "/")));
        result(tokens.send(get(server, "/missing")));
        failed(guarded.send(get(server, "/")), OutboundFailure.Kind.BLOCKED_ADDRESS);

        // Then
        assertThat(calls("flow", "2xx")).isEqualTo(2);
        assertThat(calls("flow", "4xx")).isZero();
        assertThat(calls("oauth", "4xx")).isEqualTo(1);
        assertThat(calls("oauth", "2xx")).isZero();
        assertThat(calls("file_storage", "blocked")).isEqualTo(1);
        assertThat(timed("flow")).isEqualTo(2);
        assertThat(timed("oauth")).isEqualTo(1);
    }

    @Test
    void countsCallsWhoseAnswerIsReadByTheCaller() {
        // Given
        var server = LocalServer.start(
                vertx, request -> request.response().setStatusCode(503).end());
        var files = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), LIMITS, meters)
                .toHosts(HostClass.FILE_STORAGE);

        // When
        result(files.open(get(server, "/"))).giveUp();

        // Then
        assertThat(calls("file_storage", "5xx")).isEqualTo(1);
    }

    private double calls(String hosts, String outcome) {
        return points(ServerMeter.OUTBOUND_CALLS)
                .filter(point -> point.getLabels().equals(Labels.of("class", hosts, "outcome", outcome)))
                .mapToDouble(point -> ((CounterSnapshot.CounterDataPointSnapshot) point).getValue())
                .sum();
    }

    private long timed(String hosts) {
        return points(ServerMeter.OUTBOUND_DURATION)
                .filter(point -> point.getLabels().equals(Labels.of("class", hosts)))
                .mapToLong(point -> ((HistogramSnapshot.HistogramDataPointSnapshot) point).getCount())
                .sum();
    }

    private Stream<? extends DataPointSnapshot> points(ServerMeter meter) {
        return meters.collect().stream()
                .filter(metric -> metric.getMetadata().getName().equals(meter.publicName()))
                .map(MetricSnapshot::getDataPoints)
                .flatMap(List::stream);
    }
}
