package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.trigger;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.piece.PiecePackage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Three projects with 20 endless calls each, in all engines, and a fourth project whose calls of each engine end while
 * the others continue (decision 0365).
 */
@HostileKind("fair engines")
@Slow(Slow.Reason.HOSTILE)
class FairEnginesIT {
    private static final String PIECE = "@acme/piece-fair";
    private static final String VERSION = "1.0.0";
    private static final int GREEDY = 3;
    private static final int CALLS_EACH = 5;
    private static final ObjectNode NOTHING = Json.object();

    /** Each engine with a step that never ends. */
    private static final Map<String, FlowScript> ENDLESS = Map.of(
            "GraalJS", webhook().code("step_1", "export const code = async () => { for (;;) {} };"),
            "Node.js",
                    webhook()
                            .code(
                                    "step_1",
                                    "import * as os from 'node:os';"
                                            + " export const code = async () => { os.cpus(); await new Promise((yes) => setTimeout(yes, 599000)); };"),
            "Python",
                    webhook()
                            .python(
                                    "step_1",
                                    "import time\n\ndef code(inputs):\n    time.sleep(599)\n    return 1\n",
                                    "{}"),
            "npm", evaluating("await new Promise((yes) => setTimeout(yes, 599000));"));

    private static final Map<String, FlowScript> MODEST = Map.of(
            "GraalJS", webhook().code("step_1", "export const code = async () => 'done';"),
            "Node.js",
                    webhook()
                            .code(
                                    "step_1",
                                    "import * as os from 'node:os';"
                                            + " export const code = async () => os.cpus() && 'done';"),
            "Python", webhook().python("step_1", "def code(inputs):\n    return 'done'\n", "{}"),
            "npm", evaluating("return 'done'"));

    private static TestServer server;
    private static TestServer.SignedIn admin;

    private static FlowScript evaluating(String code) {
        return webhook()
                .piece("step_1", PIECE, VERSION, "evaluate", Json.object().put("code", code));
    }

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        server = ServerSettings.openSignUp()
                .with("AP_DEFAULT_CONCURRENT_JOBS_LIMIT", "100")
                .start();
        admin = server.signUp("ada@example.com", "Ada");
        var uploaded = PackageUploads.upload(admin, PiecePackage.probe(PIECE, VERSION));
        assertThat(uploaded.status()).as(uploaded.toString()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void answersCallsOfEachEngine_whileOtherProjectsKeepTheirProcesses() {
        // Given
        var greedy = new ArrayList<LiveFlow>();
        for (var project = 1; project <= GREEDY; project++) {
            var owner = admin.inTeam("Greedy " + project);
            ENDLESS.forEach((_, script) -> {
                var flow = LiveFlow.publish(owner, script);
                for (var call = 0; call < CALLS_EACH; call++) {
                    flow.call(NOTHING);
                }
                greedy.add(flow);
            });
        }
        Waiting.until(
                "the runs of all greedy flows execute",
                () -> greedy.stream()
                        .allMatch(flow ->
                                count(flow, "select count(*) from run where status = 'RUNNING' and flow_id = $1") > 0));

        // When, then
        var modest = admin.inTeam("Modest");
        for (var engine : List.of("GraalJS", "Node.js", "Python", "npm")) {
            var run = LiveFlow.publish(modest, MODEST.get(engine)).run(NOTHING);
            assertThat(run.at("/status").asText()).as(engine + ": " + run).isEqualTo("SUCCEEDED");
            assertThat(run.at("/steps/step_1/output").asText()).as(engine).isEqualTo("done");
        }
        assertThat(polled(LiveFlow.publish(
                        modest, trigger(PIECE, VERSION, "poll", "{}").map("step_1", "{'seen':1}"))))
                .isEqualTo("SUCCEEDED");
        assertThat(greedy).allMatch(flow -> count(flow, "select count(*) from ended_run where flow_id = $1") == 0);
    }

    private static long count(LiveFlow flow, String sql) {
        return server.count(sql, flow.id());
    }

    /** Status of the run that the next poll of an npm trigger starts. */
    private static String polled(LiveFlow flow) {
        var due = Instant.ofEpochSecond(server.count(
                "select extract(epoch from next_due)::bigint from trigger_source where flow_id = $1 and deleted is null",
                flow.id()));
        server.clock().advance(Duration.between(server.clock().instant(), due));
        return flow.ended(1).path("status").asText();
    }
}
