package io.millrace.engine.run.ending;

import io.millrace.base.trace.TraceContext;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite.RunHeader;
import java.time.Instant;
import java.util.Optional;

public record RunEndReports(EndedRunLog log, RunEndMeters meters) {
    /**
     * A run has ended.
     *
     * @param failedStep name of the step that ended it, or null
     * @param finishTime null when unknown
     * @param trace context of the run in a recorded trace
     */
    void ended(RunHeader run, RunStatus status, String failedStep, Instant finishTime, Optional<TraceContext> trace) {
        log.ended(run, status, failedStep, finishTime);
        meters.ended(run, status, finishTime, trace);
    }
}
