package io.millrace.engine.run.query;

import io.millrace.base.bus.Bus;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.engine.run.RunGauges;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.vertx.core.Future;

/** The gauges of live runs, with the values last read from the database; readers refresh them first. Thread-safe. */
public final class RunMeters {
    private static final long DEADLINE_MS = 2_000;

    private volatile RunGauges gauges = RunGauges.NONE;

    public RunMeters(MeterSet meters) {
        meters.gauge(ServerMeter.RUNS, () -> gauges.queued(), RunStatus.QUEUED.name());
        meters.gauge(ServerMeter.RUNS, () -> gauges.running(), RunStatus.RUNNING.name());
        meters.gauge(ServerMeter.RUNS, () -> gauges.paused(), RunStatus.PAUSED.name());
        meters.gauge(ServerMeter.RUNS_ORPHANED, () -> gauges.orphaned());
        meters.gauge(ServerMeter.QUEUE_OLDEST, () -> gauges.oldestQueuedSeconds());
        meters.gauge(ServerMeter.WAITS_OVERDUE, () -> gauges.overdue());
    }

    void tell(RunGauges latest) {
        gauges = latest;
    }

    public Future<Void> refresh(Bus bus) {
        return bus.ask(new RunQueries.Measure(), DEADLINE_MS).map(latest -> {
            tell(latest);
            return null;
        });
    }
}
