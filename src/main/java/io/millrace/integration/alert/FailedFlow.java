package io.millrace.integration.alert;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The first failure of a version of a flow within a day.
 *
 * @param stepName empty when no step failed
 * @param receivers mail addresses of the alert
 */
record FailedFlow(
        String flowName,
        String projectName,
        String platformId,
        String projectId,
        String runId,
        Instant failed,
        String status,
        Optional<String> stepName,
        List<String> receivers) {
    FailedFlow {
        receivers = List.copyOf(receivers);
    }
}
