package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.text.ShownText;
import io.millrace.base.http.page.Html;
import io.millrace.engine.run.Waitpoints;
import java.util.Optional;
import java.util.Set;

/**
 * Content of a decision page: the flow and its project, the step, and the step's input. Every holder of the link can see it and
 * decide (decision 0106).
 *
 * @param flowName name of the asking flow, or null
 * @param project name of the flow's project
 * @param stepName display name of the waiting step
 * @param input input of the step, without secrets
 */
record DecisionPage(String flowName, Optional<String> project, Optional<String> stepName, JsonNode input) {
    private static final int FIELDS_MAX = 12;
    private static final int NAME_LENGTH_MAX = 80;
    private static final int VALUE_LENGTH_MAX = 2_000;

    /** Internal input fields, which the page does not show. */
    private static final Set<String> OWN = Set.of("auth", "markdown", "approvalLink", "disapprovalLink");

    static DecisionPage of(Waitpoints.WaitpointView place, Optional<String> project, Optional<String> stepName) {
        var input = place.question().map(Waitpoints.Prompt::input).orElse(null);
        return new DecisionPage(place.flowName(), project, stepName, input);
    }

    String html() {
        var asker = flowName == null ? "A flow" : "The flow <strong>" + Html.escape(flowName) + "</strong>";
        var of = project.map(name -> " of <strong>" + Html.escape(name) + "</strong>")
                .orElse("");
        var at = stepName.map(name -> " at the step <strong>" + Html.escape(name) + "</strong>")
                .orElse("");
        return "<p>" + asker + of + " waits for your answer" + at
                + ". Nothing is decided before you press a button.</p>" + said();
    }

    private String said() {
        var rows = new StringBuilder();
        var count = 0;
        if (input != null && input.isObject()) {
            for (var field : input.properties()) {
                var value = field.getValue();
                var isShown = value.isValueNode()
                        && !value.isNull()
                        && !value.asText().isBlank()
                        && !OWN.contains(field.getKey());
                if (isShown && count++ < FIELDS_MAX) {
                    rows.append("<dt>")
                            .append(Html.escape(ShownText.of(field.getKey(), NAME_LENGTH_MAX)))
                            .append("</dt><dd>")
                            .append(Html.escape(ShownText.of(value.asText(), VALUE_LENGTH_MAX)))
                            .append("</dd>");
                }
            }
        }
        return rows.isEmpty() ? "" : "<dl>" + rows + "</dl>";
    }
}
