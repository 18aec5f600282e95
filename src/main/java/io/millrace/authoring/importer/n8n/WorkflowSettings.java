package io.millrace.authoring.importer.n8n;

import io.millrace.authoring.importer.n8n.graph.Workflow;
import java.util.ArrayList;
import java.util.List;

/** Settings of a workflow that a flow does not have, or has under another name. */
final class WorkflowSettings {
    private WorkflowSettings() {}

    static List<String> differences(Workflow workflow, String timezone) {
        var differences = new ArrayList<String>();
        var zone = workflow.setting("timezone").asText("");
        if (!zone.equals(timezone)) {
            differences.add("the workflow has " + (zone.isEmpty() || zone.equals("DEFAULT") ? "no" : "an unknown")
                    + " time zone: dates and schedules use UTC");
        }
        if (workflow.setting("executionTimeout").asInt(0) > 0) {
            differences.add(
                    "the timeout of " + workflow.setting("executionTimeout").asInt()
                            + " seconds is not kept: runs end after AP_FLOW_TIMEOUT_SECONDS");
        }
        if (!workflow.setting("errorWorkflow").asText("").isEmpty()) {
            differences.add("the error workflow is not kept: use an alert or an event destination for failed runs");
        }
        if (workflow.json().path("staticData").isObject()
                && !workflow.json().path("staticData").isEmpty()) {
            differences.add("static data is not kept: use the piece Storage");
        }
        var tags = new ArrayList<String>();
        workflow.json()
                .path("tags")
                .forEach(tag -> tags.add(
                        tag.isTextual() ? tag.asText() : tag.path("name").asText()));
        if (!tags.isEmpty()) {
            differences.add("tags are not kept: " + String.join(", ", tags));
        }
        workflow.problems().forEach(differences::add);
        return differences;
    }
}
