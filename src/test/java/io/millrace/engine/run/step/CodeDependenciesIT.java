package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.piece.CodePackage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Npm packages of code steps: installed and locked when a flow is published, never by a run (contract pieces 12). */
@Slow(Slow.Reason.PROCESS)
class CodeDependenciesIT {
    @TempDir
    static Path outside;

    private static final String NATIVE_TOLD = "select count(*) from audit_event where action = 'code.native.installed'";

    private static final String PICTURE = "exports.draw = () => require('./fake.node');"
            + " exports.attempt = (code) => new Function('require', 'process', 'return ' + code)(require, process);";

    private static NpmRegistry registry;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":")).anyMatch(folder -> Files.exists(Path.of(folder, "node"))),
                "Node.js is not on the PATH");
        registry = NpmRegistry.start();
        registry.publish(CodePackage.commonJs("left", "1.2.3", "module.exports = (t) => '[' + t;", Map.of()));
        registry.publish(CodePackage.commonJs("left", "1.3.0", "module.exports = (t) => '<' + t;", Map.of()));
        registry.publish(CodePackage.commonJs(
                "@acme/frame", "2.0.0", "exports.frame = (t) => require('left')(t) + ']';", Map.of("left", "~1.2.0")));
        registry.publish(CodePackage.module("modern", "3.0.0", "export default (n) => n * 2; export const one = 1;"));
        registry.publish(CodePackage.withScript(
                "eager", "1.0.0", "module.exports = 'calm';", "touch " + outside.resolve("ran")));
        registry.publish(CodePackage.commonJs("forbidden", "1.0.0", "module.exports = 1;", Map.of()));
        registry.publish(CodePackage.commonJs(
                "vast", "1.0.0", "module.exports = '" + "x".repeat(2 << 20) + "'.length;", Map.of()));
        registry.publish(CodePackage.commonJs(
                "enormous", "1.0.0", "module.exports = '" + numbers(5_500_000) + "'.length;", Map.of()));
        for (var name : List.of("picture", "plain-picture")) {
            registry.publish(CodePackage.commonJs(name, "1.0.0", PICTURE, Map.of())
                    .with("package/fake.node", "what looks like native code and is none"));
        }
        server = ServerSettings.openSignUp()
                .with("AP_NODE_NATIVE_PACKAGES", "picture")
                .with("AP_NPM_REGISTRY_URL", registry.url())
                .with("AP_CODE_DEPENDENCIES", "allow-list")
                .with(
                        "AP_CODE_DEPENDENCIES_ALLOW_LIST",
                        "left, @acme/frame, modern, eager, missing, vast, enormous, picture, plain-picture")
                .with("AP_CODE_PROGRAM_MAX_MB", "1")
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            registry.close();
        }
    }

    /** About 42 MB; npm does not reject it as a decompression bomb. */
    private static String numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private static FlowScript code(String source, Map<String, String> packages) {
        return webhook().code("step_1", source, "{}", packages);
    }

    private static Answer publish(FlowScript script) {
        var operation = Json.object().put("type", "LOCK_AND_PUBLISH");
        operation.putObject("request");
        return LiveFlow.draft(admin, script).operate(operation);
    }

    private static JsonNode run(FlowScript script) {
        return LiveFlow.publish(admin, script).run(json("{}"));
    }

    private static void refused(Answer answer, String... texts) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(400);
        assertThat(answer.body().toString())
                .contains("step_1", "settings/sourceCode/packageJson")
                .contains(texts);
    }

    @Test
    void runsWithAPackageAndWhatItNeeds() {
        var run = run(code(
                "import { frame } from '@acme/frame';\nexport const code = async () => frame('a');",
                Map.of("@acme/frame", "^2.0.0")));

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output").asText()).isEqualTo("[a]");
        assertThat(run.at("/steps/step_1/engine").asText()).isEqualTo("NODE");
    }

    @Test
    void runsWithAPackageThatIsAModuleOnly() {
        var run = run(code(
                "import twice, { one } from 'modern';\nexport const code = async () => twice(21) + one;",
                Map.of("modern", "3.0.0")));

        assertThat(run.at("/steps/step_1/output").asInt()).isEqualTo(43);
    }

    @Test
    void runsAndPublishesAgainWithoutTheRegistry_whenThePackagesWereInstalledBefore() {
        var script =
                code("import left from 'left';\nexport const code = async () => left('b');", Map.of("left", "1.2.3"));
        var flow = LiveFlow.publish(admin, script);
        var asked = registry.asked().size();

        assertThat(flow.run(json("{}")).at("/steps/step_1/output").asText()).isEqualTo("[b");
        assertThat(run(script).at("/steps/step_1/output").asText()).isEqualTo("[b");
        assertThat(registry.asked()).hasSize(asked);
    }

    @Test
    void keepsWhatWasInstalled_withItsIntegrity() {
        run(code("export const code = async () => require('left')('locked');", Map.of("left", "^1.0.0")));

        assertThat(server.text("select lock from code_program where java_script like '%locked%'"))
                .contains("\"node_modules/left\"", "\"version\":\"1.3.0\"", "\"integrity\":\"sha512-");
    }

    @Test
    void installsThePackages_ofALockedVersionThatWasNeverPublished() {
        // given
        var flow = LiveFlow.draft(
                admin,
                code(
                                "import left from 'left';\nexport const code = async () => left('fixed');",
                                Map.of("left", "1.2.3"))
                        .returnJson("answer", "{'text':'{{step_1.output}}'}"));
        assertThat(flow.operate(json("{'type':'LOCK_FLOW','request':{}}")).status())
                .isEqualTo(200);

        // when
        var answer = new AtomicReference<Answer>();
        Waiting.until("a test runs with the installed packages", () -> {
            answer.set(flow.callAsync("/draft/sync", json("{}")).join());
            return answer.get().status() != 408;
        });

        // then
        assertThat(answer.get().status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.get().text("/text")).isEqualTo("[fixed");
    }

    @Test
    void runsNoScriptOfAPackage() {
        var run = run(code("export const code = async () => require('eager');", Map.of("eager", "1.0.0")));

        assertThat(run.at("/steps/step_1/output").asText()).isEqualTo("calm");
        assertThat(outside.resolve("ran")).doesNotExist();
    }

    @Test
    void refusesToPublish_whenAPackageIsNotOnTheList() {
        refused(
                publish(code("export const code = async () => 1;", Map.of("forbidden", "1.0.0"))),
                "forbidden is refused",
                "AP_CODE_DEPENDENCIES_ALLOW_LIST");
    }

    @Test
    void refusesToPublish_whenAPackageDoesNotExist() {
        refused(
                publish(code("export const code = async () => 1;", Map.of("missing", "1.0.0"))),
                "missing",
                "the registry has no package");
    }

    @Test
    void refusesToPublish_whenAPackageIsNoPackageOfTheRegistry() {
        refused(
                publish(code("export const code = async () => 1;", Map.of("left", "git+ssh://git@127.0.0.1/a.git"))),
                "expected a version or a range");
    }

    @Test
    void refusesToPublish_whenTheProgramIsTooLarge() {
        refused(
                publish(code("export const code = async () => require('vast');", Map.of("vast", "1.0.0"))),
                "vast@1.0.0",
                "too large: expected at most 1 MB",
                "AP_CODE_PROGRAM_MAX_MB",
                "found 2.");
    }

    /** The bundle and source map exceed the output limit of the compiler. */
    @Test
    void refusesToPublish_whenTheCompilerGivesUp() {
        refused(
                publish(code("export const code = async () => require('enormous');", Map.of("enormous", "1.0.0"))),
                "enormous@1.0.0",
                "AP_CODE_PROGRAM_MAX_MB");
    }

    private static JsonNode drawn(String packageName, String source) {
        return run(code(
                "import * as picture from '" + packageName + "';\nexport const code = async () => " + source + ";",
                Map.of(packageName, "1.0.0")));
    }

    /** The loader of the operating system rejects the first package; the compiler rejects the second, and names the setting. */
    @Test
    void loadsNativeCode_ofANamedPackageOnly_andSaysSoInTheTrail() {
        var before = server.count(NATIVE_TOLD);
        var named = drawn("picture", "picture.draw()");
        var told = server.count(NATIVE_TOLD);
        var other = drawn("plain-picture", "picture.draw()");

        assertThat(named.toString()).contains("fake.node").doesNotContain("addon", "AP_NODE_NATIVE_PACKAGES");
        assertThat(other.toString()).contains("fake.node", "AP_NODE_NATIVE_PACKAGES");
        assertThat(told).isEqualTo(before + 1);
        assertThat(server.count(NATIVE_TOLD)).isEqualTo(told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "require('node:child_process').execSync('id').toString()",
                "process.kill(process.ppid, 9)",
                "require('node:fs').readFileSync(require('node:path').join(process.env.TMPDIR,"
                        + " '../../../server-secrets.json'), 'utf8')",
                "require('node:fs').readdirSync('/proc')",
            })
    void keepsTheFencesOfTheKernel_aroundNativeCode(String attack) {
        assumeTrue(
                new Isolation(Isolation.Settings.of(outside)).inForce().confinesCode(),
                "this kernel fences nothing in");

        var run = drawn("picture", "picture.attempt(" + Json.text(TextNode.valueOf(attack)) + ")");

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("FAILED");
        assertThat(run.toString()).doesNotContain("restricted");
        assertThat(server.anonymous().get("/v1/health").status()).isEqualTo(200);
    }

    private static JsonNode report(LiveFlow flow) {
        var answer = admin.api().get("/v1/flows/" + flow.id() + "/code-steps");
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body().path("data");
    }

    @Test
    void tellsWhyASourceDoesNotCompile_beforeItIsPublished() {
        var flow = LiveFlow.draft(
                admin,
                webhook()
                        .code("step_1", "export const code = async () => 1;")
                        .code("step_2", "export const code =\n  ( => 3")
                        .code("step_3", "export const code = async () => fetch;"));

        assertThat(report(flow).path(0)).isEqualTo(json("{'stepName':'step_1','engine':'WORKER','dependencies':[]}"));
        assertThat(report(flow).at("/1/problem/line").asInt()).isEqualTo(2);
        assertThat(report(flow).at("/1/problem/column").asInt()).isEqualTo(4);
        assertThat(report(flow).at("/1/problem/message").asText())
                .startsWith("Unexpected")
                .doesNotContain("line");
        assertThat(report(flow).at("/2/engine").asText()).isEqualTo("NODE");
    }

    @Test
    void tellsWhatWasInstalled_andHowLongItTook_onceTheFlowIsPublished() {
        var flow = LiveFlow.draft(
                admin, code("export const code = async () => require('left')('told');", Map.of("left", "1.2.3")));
        var before = report(flow);

        flow.publish();

        assertThat(before.path(0))
                .isEqualTo(json("{'stepName':'step_1','engine':'NODE','dependencies':['left@1.2.3']}"));
        assertThat(report(flow).at("/0/installMs").asLong()).isPositive();
        assertThat(report(flow).at("/0/dependencies/0").asText()).isEqualTo("left@1.2.3");
    }

    @Test
    void tellsNobodyOutsideOfTheProject() {
        var flow = LiveFlow.draft(admin, code("export const code = async () => 1;", Map.of()));
        var stranger = server.signUp("sly@example.com", "Sly");

        assertThat(stranger.api().get("/v1/flows/" + flow.id() + "/code-steps").status())
                .isEqualTo(403);
    }

    @Test
    void failsWhenItRuns_withItsPlace_whenTheSourceDoesNotCompile() {
        var run = run(code("import left from 'left';\nexport const code = ( => 3", Map.of("left", "1.2.3")));

        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.toString()).contains("Compilation Error").contains("line 2, column 22");
    }
}
