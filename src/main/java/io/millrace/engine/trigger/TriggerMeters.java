package io.millrace.engine.trigger;

import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.FixedHistogram;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/** Counts how late sources of triggers are worked on, and how many of them fail. Thread-safe. */
public final class TriggerMeters {
    private final Map<TriggerSource.Timer, FixedHistogram> lags = new EnumMap<>(TriggerSource.Timer.class);
    private final EventCounter failures;

    public TriggerMeters(MeterSet meters) {
        for (var timer : TriggerSource.Timer.values()) {
            lags.put(timer, meters.durations(ServerMeter.TRIGGER_LAG, timer.name()));
        }
        failures = meters.counter(ServerMeter.TRIGGER_FAILURES);
    }

    void begun(TriggerSource source, Instant now) {
        lags.get(source.timer()).record(Duration.between(source.nextDue(), now).toNanos());
    }

    void failed() {
        failures.increment();
    }
}
