package io.millrace.engine.run.ending;

import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.FixedHistogram;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.base.trace.TraceContext;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite.RunHeader;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Counts ends of runs, and their durations. Thread-safe. */
public final class RunEndMeters {
    private final Map<RunStatus, Map<RunEnvironment, EventCounter>> ended = new EnumMap<>(RunStatus.class);
    private final Map<RunStatus, FixedHistogram> durations = new EnumMap<>(RunStatus.class);

    public RunEndMeters(MeterSet meters) {
        for (var status : RunStatus.values()) {
            if (status.isTerminal()) {
                var counters = new EnumMap<RunEnvironment, EventCounter>(RunEnvironment.class);
                for (var environment : RunEnvironment.values()) {
                    counters.put(
                            environment, meters.counter(ServerMeter.RUNS_ENDED, status.name(), environment.name()));
                }
                ended.put(status, counters);
                durations.put(status, meters.durations(ServerMeter.RUN_DURATION, status.name()));
            }
        }
    }

    /**
     * Counts an end.
     *
     * @param finishTime null when unknown
     * @param trace exemplar for the duration
     */
    void ended(RunHeader run, RunStatus status, Instant finishTime, Optional<TraceContext> trace) {
        ended.get(status).get(run.environment()).increment();
        if (finishTime != null && run.startTime() != null) {
            var histogram = durations.get(status);
            var nanos = Duration.between(run.startTime(), finishTime).toNanos();
            if (trace.isPresent()) {
                histogram.record(nanos, trace.get().traceId(), trace.get().spanId());
            } else {
                histogram.record(nanos);
            }
        }
    }
}
