package io.millrace.authoring.importer;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.authoring.flow.testcase.FlowTestLimits;
import io.millrace.authoring.importer.n8n.FlowImport;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import java.util.Optional;

/** The test of an imported flow: its event and fixtures are the pinned data of the workflow. */
final class PinnedTest {
    private static final String NAME = "Pinned data";
    private static final String ID = "pinned-data";
    private static final String TRIGGER = "trigger";

    private PinnedTest() {}

    /** Adds the test to the template of a flow with pinned data; returns why it was left out. */
    static Optional<String> add(FlowImport flow, FlowTestLimits limits) {
        if (flow.samples().isEmpty()) {
            return Optional.empty();
        }
        var test = testOf(flow);
        try {
            limits.checkSize(test);
        } catch (ApiException tooLarge) {
            return Optional.of("the test with the pinned data was left out: " + tooLarge.text());
        }
        flow.template().putArray("tests").add(test.toJson());
        return Optional.empty();
    }

    private static FlowTestCase testOf(FlowImport flow) {
        var content = Json.object();
        JsonNode event = flow.samples().get(TRIGGER);
        content.set(FlowTestCase.TRIGGER, event == null ? Json.object() : event);
        var steps = content.putObject(FlowTestCase.FIXTURES).putObject("steps");
        flow.samples().forEach((step, output) -> {
            if (!step.equals(TRIGGER)) {
                // A pinned object with the only field "error" is an output too.
                steps.putObject(step).set("output", output);
            }
        });
        content.putObject(FlowTestCase.EXPECTATIONS).put("status", "SUCCEEDED");
        return new FlowTestCase(ID, NAME, content);
    }
}
