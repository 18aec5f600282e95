package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.piece.PiecePackage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pieces that may load native code because an operator names them, and all others (decision 0162). */
class NativePiecesIT {
    private static final String NAMED = "@acme/piece-native";
    private static final String OTHER = "@acme/piece-plain";
    private static final String INSTALLED = "select count(*) from audit_event where action = 'piece.native.installed'";

    private static TestServer server;
    private static TestServer.SignedIn admin;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        server = TestServer.startInRealTime(Map.of("AP_NODE_NATIVE_PACKAGES", NAMED + ", no-such-platform:" + OTHER));
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** A piece whose action evaluates the expression, with a file next to it that only looks like native code. */
    private static JsonNode run(String name, String version, String expression) {
        var probe = PiecePackage.probe(name, version);
        var source = new String(probe.entries().get("package/src/index.js"), StandardCharsets.UTF_8)
                .replace(
                        "action('echo', async (context) => context.propsValue",
                        "action('echo', async (context) => " + expression);
        var uploaded = PackageUploads.upload(
                admin, probe.with("package/src/index.js", source).with("package/src/fake.node", "no native code"));
        assertThat(uploaded.status()).as(uploaded.toString()).isEqualTo(201);
        var script = webhook().piece("step_1", name, version, "echo", json("{}"));
        return LiveFlow.publish(admin, script).run(json("{}"));
    }

    @Test
    void loadsNativeCode_ofANamedPieceOnly_andAuditsIt() {
        var named = run(NAMED, "1.0.0", "require('./fake.node')");
        var told = server.count(INSTALLED);
        var other = run(OTHER, "1.0.0", "require('./fake.node')");

        // The loader of the operating system rejects the first, Node.js the second.
        assertThat(named.toString()).contains("fake.node").doesNotContain("addon");
        assertThat(other.toString()).contains("addon");
        assertThat(told).isPositive();
        assertThat(server.count(INSTALLED)).isEqualTo(told);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2.0.0 | require('node:child_process').execSync('id').toString()",
                "3.0.0 | process.kill(process.ppid, 9)",
                "4.0.0 | require('node:fs').readFileSync(require('node:path').join(process.env.TMPDIR, '../../../server-secrets.json'), 'utf8')",
            })
    void keepsTheFencesOfTheKernel(String version, String attack) {
        assumeTrue(
                new Isolation(Isolation.Settings.of(directory)).inForce().confinesCode(),
                "this kernel fences nothing in");

        var run = run(NAMED, version, attack);

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("FAILED");
        assertThat(server.anonymous().get("/v1/health").status()).isEqualTo(200);
    }
}
