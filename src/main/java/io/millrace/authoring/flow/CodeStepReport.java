package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.program.CodeReport;

/** State of a code step before it runs, for its author. */
public record CodeStepReport(String stepName, CodeReport code) {
    ObjectNode toJson() {
        var json = Json.object()
                .put("stepName", stepName)
                .put("engine", code.engine().name());
        code.dependencies().forEach(json.putArray("dependencies")::add);
        code.installMs().ifPresent(ms -> json.put("installMs", ms));
        code.problem().ifPresent(problem -> {
            var shown = json.putObject("problem").put("message", problem.message());
            if (problem.line() > 0) {
                shown.put("line", problem.line()).put("column", problem.column());
            }
        });
        return json;
    }
}
