package io.millrace.base.net;

import io.millrace.base.metrics.FixedHistogram;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.vertx.core.AsyncResult;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How long calls to the outside take, by what came back: never by host, of which there is no end. Thread-safe. */
final class OutboundMeters {
    private static final int HUNDRED = 100;

    private final MeterSet meters;
    private final List<FixedHistogram> answered;
    private final Map<OutboundFailure.Kind, FixedHistogram> failed = new EnumMap<>(OutboundFailure.Kind.class);

    OutboundMeters(MeterSet meters) {
        this.meters = meters;
        answered = Stream.of("other", "other", "2xx", "3xx", "4xx", "5xx")
                .map(outcome -> meters.durations(ServerMeter.OUTBOUND_DURATION, outcome))
                .toList();
        for (var kind : OutboundFailure.Kind.values()) {
            failed.put(kind, meters.durations(ServerMeter.OUTBOUND_DURATION, word(kind)));
        }
    }

    void circuits(Breakers breakers) {
        meters.gauge(ServerMeter.OUTBOUND_CIRCUITS_OPEN, breakers::leftAlone);
    }

    private static String word(OutboundFailure.Kind kind) {
        return switch (kind) {
            case BLOCKED_ADDRESS -> "blocked";
            case TIMED_OUT -> "timeout";
            case CIRCUIT_OPEN -> "circuit_open";
            default -> "failed";
        };
    }

    void ended(AsyncResult<OutboundResponse> done, long nanos) {
        if (done.succeeded()) {
            var first = done.result().status() / HUNDRED;
            answered.get(first < answered.size() ? first : 0).record(nanos);
        } else {
            failed(done.cause(), nanos);
        }
    }

    void failed(Throwable cause, long nanos) {
        var kind = cause instanceof OutboundFailure failure ? failure.kind() : OutboundFailure.Kind.OTHER;
        failed.get(kind).record(nanos);
    }
}
