package io.millrace.integration.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.http.TextSocket;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.query.RunSubscription;

/**
 * Tells a member of the channel how the test of a step comes along: that it has begun, and what the step has put out so
 * far. Its end is told to everybody by {@link Runs.StepTested} (contract flows-and-engine 5.9).
 */
final class TestedStep implements RunSubscription.Listener {
    private final TextSocket socket;
    private final String projectId;
    private final String runId;
    private final Runnable whenOver;

    /**
     * @param whenOver called once there is no more to tell
     */
    TestedStep(TextSocket socket, String projectId, String runId, Runnable whenOver) {
        this.socket = socket;
        this.projectId = projectId;
        this.runId = runId;
        this.whenOver = whenOver;
    }

    /** The step has put out nothing yet. */
    void begin() {
        tell(Json.object());
    }

    /** A step without a record so far is the one under test; those with one were there before. */
    @Override
    public void step(Run run, long number, ObjectNode step) {
        if (number == 0 && step.path("output").has("output")) {
            tell((ObjectNode) step.get("output"));
        }
    }

    private void tell(ObjectNode stepRecord) {
        socket.send(Packet.event("TEST_STEP_PROGRESS", toJson(projectId, runId, true, stepRecord)));
    }

    @Override
    public void run(Run run) {
        // What becomes of the run is told at the end.
    }

    @Override
    public void end() {
        whenOver.run();
    }

    /** The end of a test, as everybody in the project hears it. */
    static ObjectNode toJson(Runs.StepTested tested) {
        var succeeded = tested.result().path("status").asText().equals("SUCCEEDED");
        var told = toJson(tested.projectId(), tested.runId(), succeeded, tested.result());
        told.setAll(tested.samples());
        return told;
    }

    private static ObjectNode toJson(String projectId, String runId, boolean success, ObjectNode stepRecord) {
        var told = Json.object().put("runId", runId).put("projectId", projectId).put("success", success);
        told.set("input", orEmpty(stepRecord.path("input")));
        told.set("output", stepRecord.has("errorMessage") ? stepRecord.get("errorMessage") : stepRecord.get("output"));
        return told.put("standardOutput", stepRecord.path("standardOutput").asText())
                .put("standardError", stepRecord.path("standardError").asText());
    }

    private static JsonNode orEmpty(JsonNode input) {
        return input.isMissingNode() ? Json.object() : input;
    }
}
