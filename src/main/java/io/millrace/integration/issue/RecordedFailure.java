package io.millrace.integration.issue;

import io.millrace.base.core.Nullable;
import io.millrace.engine.run.RunStatus;
import io.millrace.integration.failure.FailureFacts;
import java.time.Instant;

/**
 * A failed run that no issue counts yet.
 *
 * @param failedStepMessage error text of the step, truncated
 */
record RecordedFailure(
        long sequence,
        String runId,
        String projectId,
        String flowId,
        Instant failed,
        RunStatus status,
        @Nullable String failedStepName,
        @Nullable String failedStepDisplayName,
        @Nullable String failedStepMessage) {
    String stepName() {
        return failedStepName == null ? "" : failedStepName;
    }

    String stepDisplayName() {
        return failedStepDisplayName == null ? stepName() : failedStepDisplayName;
    }

    String text() {
        return failedStepMessage == null ? "" : failedStepMessage;
    }

    /** Facts of the row alone: the type of the step is unknown. */
    FailureFacts facts() {
        return rowFacts(status, failedStepMessage);
    }

    /** @param message null without one */
    static FailureFacts rowFacts(RunStatus status, String message) {
        return FailureFacts.of(status, "", message == null ? "" : message);
    }

    CauseKey key() {
        return CauseKey.of(flowId, status, stepName(), facts().message());
    }
}
