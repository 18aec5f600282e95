package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.piece.PiecePackage;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Log lines about values that a package does not receive or return unchanged: in steps, action runs and triggers. */
class PackageLossIT {
    private static final String PROBE = "@acme/piece-lossy";
    private static final String ROUNDED =
            "JavaScript cannot hold this integer exactly, so the piece received a rounded" + " number; pass it as text";
    private static final String MAP = "JSON cannot hold a value of the output: output.m: a Map becomes {}; return"
            + " Object.fromEntries(map) or [...map]";

    /** Prints a field, and fails with its text if the body requests it. */
    private static final String PRINTING = """
            run: async (context) => {
              if (context.propsValue.printed) console.log('with ' + context.propsValue.printed);
              if (context.payload.body.fails) throw new Error('refused ' + context.propsValue.printed);
              return [context.payload.body];
            },
            """;

    private static TestServer server;
    private static TestServer.SignedIn ada;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        server = ServerSettings.openSignUp().startInRealTime();
        ada = server.signUp("ada@example.com", "Ada");
        var piece = PiecePackage.probe(PROBE, "1.0.0");
        var index = new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8);
        var since = "type: 'WEBHOOK', props: { since: { type: 'DATE_TIME', displayName: 'Since', required: false },"
                + " printed: { type: 'SHORT_TEXT', displayName: 'Printed', required: false } }";
        assertThat(PackageUploads.upload(
                                ada,
                                piece.with(
                                        "package/src/index.js",
                                        index.replace("type: 'WEBHOOK', props: {}", since)
                                                .replace("run: async (context) => [context.payload.body],", PRINTING)))
                        .status())
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static JsonNode action(String name, String input) {
        var body = Json.object()
                .put("projectId", ada.projectId())
                .put("pieceName", PROBE)
                .put("actionName", name);
        body.set("input", json(input));
        var run = ada.api().post("/v1/actions/run", body);
        assertThat(run.text("/status")).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(ada.api().get("/v1/actions/runs/" + run.text("/id")).body()).isEqualTo(run.body());
        return run.body();
    }

    @Test
    void warnsInTheLogOfTheStep() {
        var flow = LiveFlow.publish(
                ada,
                webhook()
                        .piece("step_1", PROBE, "1.0.0", "echo", json("{'count':'{{trigger.output.body.id}}'}"))
                        .piece(
                                "step_2",
                                PROBE,
                                "1.0.0",
                                "evaluate",
                                json("{'code':'return { m: new Map([[1, 2]]), f() {} };'}")));

        var steps = flow.run(json("{'id':8202522731445525542}")).path("steps");

        assertThat(steps.at("/step_1/standardError").asText()).isEqualTo("input.count: " + ROUNDED);
        assertThat(steps.at("/step_2/standardError").asText()).isEqualTo(MAP);
    }

    @Test
    void warnsInTheRecordOfAnActionRun() {
        assertThat(action("echo", "{'count':'9007199254740993'}")
                        .path("standardError")
                        .asText())
                .isEqualTo("input.count: " + ROUNDED);
        var lossy = action("evaluate", "{'code':'console.log(1); return { m: new Map() };'}");
        assertThat(lossy.path("standardError").asText()).isEqualTo(MAP);
        assertThat(lossy.path("standardOutput").asText()).isEqualTo("1\n");
        assertThat(action("echo", "{'count':'4'}").has("standardError")).isFalse();
    }

    @Test
    void warnsInTheRecordOfTheTrigger() {
        var flow = LiveFlow.publish(
                ada, trigger(PROBE, "1.0.0", "hook", "{'since':'soon'}").map("step_1", "{'a':1}"));

        var started = flow.run(json("{'id':8202522731445525542}")).at("/steps/trigger");

        assertThat(started.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(started.path("standardError").asText())
                .isEqualTo(
                        "since: expected a date and time such as 2024-03-14T12:00:00.000Z, received: soon; the field is"
                                + " optional, so the action receives no value\ntrigger.payload.body.id: " + ROUNDED);
    }

    @Test
    void censorsVariables_inTheRecordOfTheTrigger() {
        ada.api()
                .post(
                        "/v1/variables",
                        Json.object()
                                .put("projectId", ada.projectId())
                                .put("name", "MILL_KEY")
                                .put("value", "grain-4711"));
        var flow = LiveFlow.publish(
                ada,
                trigger(PROBE, "1.0.0", "hook", "{'printed':'{{variables.MILL_KEY}}'}")
                        .map("step_1", "{'a':1}"));

        var started = flow.run(json("{'id':1}")).at("/steps/trigger");
        var failed = flow.run(json("{'fails':true}")).at("/steps/trigger");

        assertThat(started.path("standardOutput").asText()).isEqualTo("with **REDACTED**\n");
        assertThat(failed.path("status").asText()).isEqualTo("FAILED");
        assertThat(failed.toString()).contains("refused").doesNotContain("grain-4711");
    }
}
