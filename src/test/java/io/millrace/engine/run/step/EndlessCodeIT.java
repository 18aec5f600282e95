package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Endless code steps on a server with a short time limit. A first call starts each process before the limit applies. */
@Slow(Slow.Reason.PROCESS)
class EndlessCodeIT {
    private static final int CONSOLE_LENGTH_MAX = 70_000;
    private static final int TRIES_MAX = 10;

    @AutoClose
    private static TestServer server =
            ServerSettings.openSignUp().with("AP_FLOW_TIMEOUT_SECONDS", "6").startInRealTime();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    @BeforeAll
    static void startProcesses() {
        assumeTrue(statusOf(node("return process.pid > 0")).equals("SUCCEEDED"), "Node.js is not on the PATH");
        assumeTrue(statusOf(python("return 1")).equals("SUCCEEDED"), "there is no Python");
    }

    private static String statusOf(JsonNode run) {
        return run.path("status").asText();
    }

    private static JsonNode node(String body) {
        var source = "export const code = async () => {\n" + body + "\n};";
        return LiveFlow.publish(admin, webhook().code("step_1", source)).run(json("{}"));
    }

    private static JsonNode python(String body) {
        var source = "def code(inputs):\n    " + body + "\n";
        return LiveFlow.publish(admin, webhook().python("step_1", source, "{}")).run(json("{}"));
    }

    /** A run whose code has printed: processes of code have the lowest priority, and on a busy machine one may start too late. */
    private static JsonNode printing(String body) {
        var run = node(body);
        for (var again = 0; again < TRIES_MAX && output(run).isEmpty(); again++) {
            run = node(body);
        }
        return run;
    }

    private static String output(JsonNode run) {
        return run.at("/steps/step_1/standardOutput").asText();
    }

    @Test
    void keepsTheConsole_whenCodeOfNodeNeverEnds() {
        var run = printing("process.title; console.log('begun'); for (;;) {}");

        assertThat(statusOf(run)).as("%s", run).isEqualTo("TIMEOUT");
        assertThat(output(run)).startsWith("begun");
    }

    /** Either the time limit or the memory limit is exceeded first, depending on the machine. */
    @Test
    void boundsTheConsole_whenCodeOfNodePrintsWithoutEnd() {
        var run = printing("process.pid; for (;;) console.log('x'.repeat(1000));");

        assertThat(statusOf(run)).as("%s", run).isIn("TIMEOUT", "MEMORY_LIMIT_EXCEEDED");
        assertThat(output(run).length()).isBetween(1_000, CONSOLE_LENGTH_MAX);
    }

    @Test
    void endsTimedOut_whenPythonNeverEnds() {
        var run = python("while True: pass");

        assertThat(statusOf(run)).as("%s", run).isEqualTo("TIMEOUT");
        assertThat(run.toString()).containsIgnoringCase("TIMEOUT");
    }

    @Test
    void boundsTheConsole_whenPythonPrintsWithoutEnd() {
        var run = python("while True: print('x' * 1000)");

        assertThat(statusOf(run)).as("%s", run).isEqualTo("TIMEOUT");
        assertThat(output(run).length()).as("%s", run).isLessThan(CONSOLE_LENGTH_MAX);
    }
}
