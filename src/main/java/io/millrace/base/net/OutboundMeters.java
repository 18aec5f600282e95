package io.millrace.base.net;

import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.FixedHistogram;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.vertx.core.AsyncResult;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Calls to one class of hosts: their duration, and their number by outcome. Never by host, since the number of hosts is
 * unbounded. Thread-safe.
 */
final class OutboundMeters {
    private static final int HUNDRED = 100;

    private final MeterSet meters;
    private final FixedHistogram durations;
    private final List<EventCounter> answered;
    private final Map<OutboundFailure.Kind, EventCounter> failed = new EnumMap<>(OutboundFailure.Kind.class);

    OutboundMeters(MeterSet meters, HostClass hosts) {
        this.meters = meters;
        durations = meters.durations(ServerMeter.OUTBOUND_DURATION, hosts.word());
        answered = Stream.of("other", "other", "2xx", "3xx", "4xx", "5xx")
                .map(outcome -> meters.counter(ServerMeter.OUTBOUND_CALLS, hosts.word(), outcome))
                .toList();
        for (var kind : OutboundFailure.Kind.values()) {
            failed.put(kind, meters.counter(ServerMeter.OUTBOUND_CALLS, hosts.word(), word(kind)));
        }
    }

    OutboundMeters of(HostClass hosts) {
        return new OutboundMeters(meters, hosts);
    }

    void circuits(Breakers breakers) {
        meters.gauge(ServerMeter.OUTBOUND_CIRCUITS_OPEN, breakers::leftAlone);
    }

    private static String word(OutboundFailure.Kind kind) {
        return switch (kind) {
            case BLOCKED_ADDRESS -> "blocked";
            case TIMED_OUT -> "timeout";
            case CIRCUIT_OPEN -> "circuit_open";
            case FENCED -> "fenced";
            default -> "failed";
        };
    }

    <T> void ended(AsyncResult<T> done, ToIntFunction<T> statusOf, long nanos) {
        if (done.succeeded()) {
            var first = statusOf.applyAsInt(done.result()) / HUNDRED;
            answered.get(first < answered.size() ? first : 0).increment();
            durations.record(nanos);
        } else {
            failed(done.cause(), nanos);
        }
    }

    void failed(Throwable cause, long nanos) {
        var kind = cause instanceof OutboundFailure failure ? failure.kind() : OutboundFailure.Kind.OTHER;
        failed.get(kind).increment();
        durations.record(nanos);
    }
}
