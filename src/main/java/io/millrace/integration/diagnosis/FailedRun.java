package io.millrace.integration.diagnosis;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.log.FailedStep;
import io.millrace.integration.failure.CauseRule;
import io.millrace.integration.failure.CauseRules;
import io.millrace.integration.failure.FailureFacts;
import io.millrace.integration.failure.RecordedStep;
import io.millrace.integration.failure.RunComparison;
import io.millrace.integration.issue.LoggedSteps;
import java.time.Instant;
import java.util.Optional;

/**
 * A failed run with its log.
 *
 * @param steps empty when the log was removed, or is too large to be read
 */
record FailedRun(Run run, Optional<JsonNode> steps) {
    /** Empty when the run failed outside of steps. */
    String stepName() {
        return Optional.ofNullable(run.failedStep()).map(FailedStep::name).orElse("");
    }

    Instant endedAt() {
        return run.finishTime() == null ? run.updated() : run.finishTime();
    }

    FailureFacts facts() {
        var message =
                Optional.ofNullable(run.failedStep()).map(FailedStep::message).orElse("");
        return LoggedSteps.facts(run.status(), stepName(), message, steps);
    }

    CauseRule rule() {
        return CauseRules.of(facts());
    }

    Optional<RecordedStep> failedRecord() {
        return steps.flatMap(log -> RecordedStep.failed(log, stepName()));
    }

    Optional<RunComparison.Difference> differenceFrom(Optional<JsonNode> former) {
        return steps.flatMap(now -> former.flatMap(before -> RunComparison.first(now, before, stepName())));
    }
}
