package io.millrace.integration.alert;

import io.millrace.account.mail.Letter;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Optional;

/** Mail text of an alert. Omits the error message of the step, which may contain payload data; the run's page shows it. */
final class AlertLetter {
    private AlertLetter() {}

    static Letter of(FailedFlow failure, String receiver) {
        var flow = failure.flowName().isBlank() ? "A flow" : Letter.oneLine(failure.flowName());
        var project = Letter.oneLine(failure.projectName());
        var place = failure.stepName()
                .map(step -> " at the step \"" + Letter.oneLine(step) + "\"")
                .orElse("");
        return new Letter(
                receiver,
                flow + " failed in " + project,
                flow + " failed",
                List.of(
                        "A run of this flow in the project " + project + " ended " + failure.status() + place + ", at "
                                + Json.timestamp(failure.failed()) + ".",
                        "Run: " + failure.runId(),
                        "Further failures of this version of the flow are not mailed for 24 hours."),
                Optional.empty(),
                Optional.empty(),
                "You receive this because your address is on the alert list of the project.");
    }
}
