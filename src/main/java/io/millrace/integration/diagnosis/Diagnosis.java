package io.millrace.integration.diagnosis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunStatus;
import io.millrace.integration.failure.RecordedStep;
import io.millrace.integration.failure.RunComparison;
import io.millrace.integration.issue.Issues;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Diagnosis of a failed run.
 *
 * @param former last successful run of the flow
 * @param difference first difference between the data of the two
 * @param changes changes between the two
 * @param similar failures with the same cause
 */
record Diagnosis(
        FailedRun failed,
        Optional<FormerRun> former,
        Optional<RunComparison.Difference> difference,
        List<RunChange> changes,
        Optional<Issues.IssueCounts> similar,
        List<ObjectNode> actions) {
    Diagnosis {
        changes = List.copyOf(changes);
        actions = List.copyOf(actions);
    }

    Diagnosis with(List<RunChange> visible) {
        return new Diagnosis(failed, former, difference, visible, similar, actions);
    }

    static ObjectNode ofUnfailed(Run run) {
        var json = head(run).put("failed", false);
        json.putArray("changes");
        json.putArray("actions");
        return json;
    }

    private static ObjectNode head(Run run) {
        return Json.object()
                .put("runId", run.id())
                .put("projectId", run.projectId())
                .put("flowId", run.flowId())
                .put("flowVersionId", run.flowVersionId())
                .put("status", run.status().name());
    }

    ObjectNode toJson(Principal reader) {
        var json = head(failed.run()).put("failed", true);
        json.set("cause", cause(reader));
        former.ifPresent(successful -> json.set("comparedWith", compared(successful)));
        difference.ifPresent(found -> json.set("difference", difference(found)));
        var claims = json.putArray("changes");
        changes.forEach(claim -> claims.add(claim.toJson()));
        similar.ifPresent(counted -> json.set("similar", similar(counted)));
        actions.forEach(json.putArray("actions")::add);
        return json;
    }

    String sentence() {
        return failed.rule().summaryOf(failed.facts());
    }

    private ObjectNode cause(Principal reader) {
        var run = failed.run();
        var rule = failed.rule();
        var facts = failed.facts();
        var cause = Json.object()
                .put("class", rule.cause().text())
                .put("rule", rule.id())
                .put("text", sentence());
        facts.httpStatus().ifPresent(status -> cause.put("status", status));
        rule.setting().ifPresent(setting -> cause.put("setting", setting.name()));
        if (!facts.errorName().isEmpty()) {
            cause.put("errorName", facts.errorName());
        }
        // Details of internal errors are for administrators, as in the run itself.
        if (!facts.message().isEmpty() && (run.status() != RunStatus.INTERNAL_ERROR || reader.administersPlatform())) {
            cause.put("message", facts.message());
        }
        var evidence = cause.putArray("evidence");
        if (run.failedStep() == null) {
            evidence.add(
                    Evidence.run(run.projectId(), run.id(), failed.endedAt()).toJson());
            return cause;
        }
        var path = failed.failedRecord()
                .map(RecordedStep::path)
                .orElse(run.failedStep().name());
        cause.putObject("step")
                .put("name", run.failedStep().name())
                .put("displayName", run.failedStep().displayName())
                .put("path", path);
        evidence.add(
                Evidence.step(run.projectId(), run.id(), path, failed.endedAt()).toJson());
        return cause;
    }

    private ObjectNode compared(FormerRun successful) {
        var json = Json.object()
                .put("runId", successful.id())
                .put("flowVersionId", successful.flowVersionId())
                .put("finishTime", Json.timestamp(successful.finishTime()));
        json.putArray("evidence")
                .add(Evidence.run(failed.run().projectId(), successful.id(), successful.finishTime())
                        .toJson());
        return json;
    }

    private ObjectNode difference(RunComparison.Difference found) {
        var json = Json.object()
                .put("stepName", found.step().name())
                .put("path", found.step().path())
                .put("side", found.side().name().toLowerCase(Locale.ROOT));
        var list = json.putArray("differences");
        found.differences().forEach(difference -> list.add(difference.toJson()));
        var evidence = json.putArray("evidence");
        evidence.add(Evidence.step(
                        failed.run().projectId(),
                        failed.run().id(),
                        found.step().path(),
                        failed.endedAt())
                .toJson());
        former.ifPresent(successful ->
                evidence.add(Evidence.run(failed.run().projectId(), successful.id(), successful.finishTime())
                        .toJson()));
        return json;
    }

    private ObjectNode similar(Issues.IssueCounts counted) {
        var issue = counted.issue();
        var json = Json.object()
                .put("issueId", issue.id())
                .put("status", issue.status().name())
                .put("count", issue.occurrences())
                .put("firstOccurrence", Json.timestamp(issue.firstOccurrence()))
                .put("lastOccurrence", Json.timestamp(issue.lastOccurrence()));
        var days = json.putArray("days");
        counted.days()
                .forEach(day ->
                        days.add(Json.object().put("day", day.day().toString()).put("count", day.occurrences())));
        json.putArray("evidence")
                .add(Evidence.issue(issue.projectId(), issue.flowId(), issue.id(), issue.lastOccurrence())
                        .toJson());
        return json;
    }
}
