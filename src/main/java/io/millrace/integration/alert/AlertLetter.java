package io.millrace.integration.alert;

import io.millrace.account.mail.Letter;
import io.millrace.base.core.Json;
import io.millrace.integration.diagnosis.Diagnoses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Mail text of an alert. Omits the error message of the step, which may contain payload data; the run's page shows it. */
final class AlertLetter {
    private AlertLetter() {}

    /**
     * @param diagnosis summary of the run's diagnosis; empty when there is none
     * @param consoleUrl address of the console
     */
    static Letter of(FailedFlow failure, Optional<Diagnoses.Summary> diagnosis, String consoleUrl, String receiver) {
        var flow = failure.flowName().isBlank() ? "A flow" : Letter.oneLine(failure.flowName());
        var project = Letter.oneLine(failure.projectName());
        var place = failure.stepName()
                .map(step -> " at the step \"" + Letter.oneLine(step) + "\"")
                .orElse("");
        return new Letter(
                receiver,
                flow + " failed in " + project,
                flow + " failed",
                paragraphs(failure, diagnosis, project, place),
                Optional.empty(),
                Optional.of(new Letter.Link(
                        "Open the run", consoleUrl + "/projects/" + failure.projectId() + "/runs/" + failure.runId())),
                "You receive this because your address is on the alert list of the project.");
    }

    private static List<String> paragraphs(
            FailedFlow failure, Optional<Diagnoses.Summary> diagnosis, String project, String place) {
        var paragraphs = new ArrayList<String>();
        paragraphs.add("A run of this flow in the project " + project + " ended " + failure.status() + place + ", at "
                + Json.timestamp(failure.failed()) + ".");
        diagnosis.ifPresent(found -> {
            paragraphs.add("Cause (" + found.cause().text() + "): " + found.sentence());
            found.firstClaim()
                    .ifPresent(claim -> paragraphs.add("Since the last successful run: " + Letter.oneLine(claim)));
        });
        paragraphs.add("Run: " + failure.runId());
        paragraphs.add("Further failures of this version of the flow are not mailed for 24 hours.");
        return paragraphs;
    }
}
