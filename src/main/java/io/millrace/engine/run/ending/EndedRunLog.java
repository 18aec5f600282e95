package io.millrace.engine.run.ending;

import io.millrace.base.config.Config;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite.RunHeader;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line for an ended run: always after a failure, else for a share of them (AP_LOG_SAMPLE_RATE_RUNS). Contains
 * ids of run, flow and project, status and failed step; never messages of steps, which may hold values of a flow
 * (decision 0164). Thread-safe.
 */
public final class EndedRunLog {
    private static final Logger LOG = LoggerFactory.getLogger(EndedRunLog.class);
    private static final int ALL_PERCENT = 100;

    private final Supplier<Config.Logging> settings;

    /** @param settings current settings, read for each run */
    public EndedRunLog(Supplier<Config.Logging> settings) {
        this.settings = settings;
    }

    /**
     * Logs an end, or leaves it out.
     *
     * @param failedStep name of the step that ended it, or null
     * @param finishTime null when unknown
     */
    void ended(RunHeader run, RunStatus status, String failedStep, Instant finishTime) {
        var failed = RunStatus.FAILURES.contains(status);
        if (!failed && !isSampled()) {
            return;
        }
        var line = (failed ? LOG.atWarn() : LOG.atInfo())
                .addKeyValue("flowRun.id", run.id())
                .addKeyValue("flow.id", run.flow().flowId())
                .addKeyValue("project.id", run.projectId())
                // The run is the unit of the queue, so it is the job as well.
                .addKeyValue("job.id", run.id())
                .addKeyValue("status", status);
        if (finishTime != null && run.startTime() != null) {
            line = line.addKeyValue(
                    "durationMs", Duration.between(run.startTime(), finishTime).toMillis());
        }
        if (failed) {
            line = line.addKeyValue("error", failedStep == null ? status.name() : status + " at " + failedStep);
        }
        line.log(failed ? "a run failed" : "a run ended");
    }

    private boolean isSampled() {
        var percent = settings.get().runSampleRatePercent();
        return percent >= ALL_PERCENT
                || percent > 0 && ThreadLocalRandom.current().nextInt(ALL_PERCENT) < percent;
    }
}
