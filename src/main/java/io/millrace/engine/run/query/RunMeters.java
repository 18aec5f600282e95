package io.millrace.engine.run.query;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.base.bus.Bus;
import io.millrace.engine.run.RunGauges;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Runs;
import io.vertx.core.Future;
import java.util.function.ToLongFunction;

/** The gauges of live runs, as the database told them last; the one who reads them asks it before. Thread-safe. */
public final class RunMeters implements MeterBinder {
    private static final long DEADLINE_MS = 2_000;

    private volatile RunGauges gauges = RunGauges.NONE;

    void tell(RunGauges latest) {
        gauges = latest;
    }

    /** Asks the database anew. */
    public Future<Void> refresh(Bus bus) {
        return bus.ask(new Runs.Measure(), DEADLINE_MS).map(latest -> {
            tell(latest);
            return null;
        });
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        runs(RunStatus.QUEUED, RunGauges::queued).register(registry);
        runs(RunStatus.RUNNING, RunGauges::running).register(registry);
        runs(RunStatus.PAUSED, RunGauges::paused).register(registry);
        gauge("millrace.runs.orphaned", "Live runs without a living owner.", RunGauges::orphaned)
                .register(registry);
        gauge("millrace.waits.overdue", "Waits whose moment is over.", RunGauges::overdue)
                .register(registry);
    }

    private Gauge.Builder<?> runs(RunStatus status, ToLongFunction<RunGauges> value) {
        return gauge("millrace.runs", "Live runs by status.", value).tag("status", status.name());
    }

    private Gauge.Builder<?> gauge(String name, String description, ToLongFunction<RunGauges> value) {
        return Gauge.builder(name, this, meters -> value.applyAsLong(meters.gauges))
                .description(description);
    }
}
