package io.millrace.integration.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Topics;
import io.millrace.base.core.Json;
import io.millrace.base.http.socket.TextSocket;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.engine.run.query.RunSubscription;
import java.util.List;

/**
 * Reports the progress of a step test to a member of the channel: its start, and the output of the step so far.
 * {@link Runs.StepTested} reports its end to all members (contract flows-and-engine 5.9). A test may start before its run has a
 * row; it is then followed from the moment at which the row is saved.
 */
final class TestedStep implements RunSubscription.Listener {
    private final Bus bus;
    private final RunProgressHub watch;
    private final TextSocket socket;
    private final Runs.StepTestBegun test;
    private final List<Bus.OpenEndpoint> subscriptions;

    /** Null while there was no row. */
    private RunSubscription following;

    private boolean over;
    private boolean saved;
    private boolean closed;

    private TestedStep(Bus bus, RunProgressHub watch, TextSocket socket, Runs.StepTestBegun test) {
        this.bus = bus;
        this.watch = watch;
        this.socket = socket;
        this.test = test;
        this.subscriptions = List.of(
                bus.on(Runs.Shown.class, (Runs.Shown shown) -> saved(shown.runId())),
                Topics.watch(bus, Runs.topicOf(test.projectId())));
    }

    static TestedStep tell(Bus bus, RunProgressHub watch, TextSocket socket, Runs.StepTestBegun test) {
        var tested = new TestedStep(bus, watch, socket, test);
        tested.begin();
        tested.follow();
        return tested;
    }

    private void follow() {
        saved = false;
        following = RunSubscription.open(bus, watch, test.runId(), 0, ChannelSession.DEADLINE_MS, this);
    }

    private void saved(String runId) {
        if (runId.equals(test.runId())) {
            saved = true;
            followAgain();
        }
    }

    private void followAgain() {
        if (following == null && !over && !closed) {
            follow();
        }
    }

    /** Reads the run's row: notices of other nodes may be lost. */
    void look() {
        if (following == null) {
            followAgain();
        } else {
            following.look();
        }
    }

    void close() {
        closed = true;
        subscriptions.forEach(Bus.OpenEndpoint::close);
        if (following != null) {
            following.close();
        }
    }

    private void begin() {
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
        socket.send(Packet.event("TEST_STEP_PROGRESS", toJson(test.projectId(), test.runId(), true, stepRecord)));
    }

    @Override
    public void run(Run run) {
        over = run.status().isTerminal();
    }

    /** The row was missing; it may have been saved since that read. */
    @Override
    public void end() {
        following = null;
        if (saved) {
            followAgain();
        }
    }

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
