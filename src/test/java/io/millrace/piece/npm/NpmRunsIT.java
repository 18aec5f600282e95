package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.MemoryKills;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.EventReader;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.piece.PiecePackage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps of npm packages in runs (contract pieces 3 to 6). */
class NpmRunsIT {
    private static final String PROBE = "@acme/piece-probe";

    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        server = ServerSettings.openSignUp()
                .with("AP_FLOW_TIMEOUT_SECONDS", "300")
                .with("AP_SANDBOX_MEMORY_LIMIT", "65536")
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
        assertThat(upload(PiecePackage.probe(PROBE, "1.0.0")).status()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static Answer upload(PiecePackage piece) {
        return PackageUploads.upload(admin, piece);
    }

    private static JsonNode run(String action, String input) {
        var script = webhook().piece("step_1", PROBE, "1.0.0", action, json(input));
        return LiveFlow.publish(admin, script).run(json("{}"));
    }

    @Test
    void runsAnAction() {
        var run = run("echo", "{'what':{'a':'{{trigger.output.body}}'},'count':'4'}");

        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/count").asInt()).isEqualTo(4);
        assertThat(run.at("/steps/step_1/output/what/a").isObject()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "fail, FAILED, it does not fit",
        "failWithResponse, FAILED, Name is taken",
        "heap, MEMORY_LIMIT_EXCEEDED, memory",
        "buffers, MEMORY_LIMIT_EXCEEDED, memory",
        "exit, INTERNAL_ERROR, exit code 3",
        "garbage, INTERNAL_ERROR, pipe",
        "spawn, FAILED, restricted"
    })
    void endsTheRunAsItsActionEnded(String action, String status, String message) {
        var run = run(action, "{}");

        assertThat(run.path("status").asText()).isEqualTo(status);
        assertThat(run.at("/steps/step_1/status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains(message);
    }

    /** The first attempt reports its process and never ends; the next one ends. */
    private static final String STUCK_ONCE = "@acme/piece-stuck";

    private static PiecePackage stuckOnce() {
        var piece = PiecePackage.probe(STUCK_ONCE, "1.0.0");
        var index = new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8);
        return piece.with("package/src/index.js", index.replace("action('stuck', async (context) => {", """
                action('stuck', async (context) => {
                  if (await context.store.get('stuck')) return 'done';"""));
    }

    /** Kills the process that executes the step of a flow. */
    private static void killAtWork(LiveFlow flow) {
        Waiting.until("the step is at work", () -> pidOf(flow) > 0);
        ProcessHandle.of(pidOf(flow)).orElseThrow().destroyForcibly();
    }

    private static long pidOf(LiveFlow flow) {
        return server.count(
                "select coalesce(max(value::bigint), 0) from store_entry where key = $1",
                "flow_" + flow.id() + "/stuck");
    }

    /** Counter of the kernel's kills from now on. Without it, the killer of a process is unknown. */
    private static MemoryKills memoryKills() {
        return new Isolation(Isolation.Settings.of(Path.of("/dev/null"))).memoryKills();
    }

    @Test
    void repeatsAStep_whenItsProcessWasKilledExternally() {
        // Given
        var kills = memoryKills();
        assertThat(upload(stuckOnce()).status()).isEqualTo(201);
        var flow = LiveFlow.publish(admin, webhook().piece("step_1", STUCK_ONCE, "1.0.0", "stuck", json("{}")));
        flow.call(json("{}"));

        // When
        killAtWork(flow);

        // Then
        Waiting.until(
                "the run has ended",
                () -> List.of("SUCCEEDED", "MEMORY_LIMIT_EXCEEDED")
                        .contains(flow.runs().getFirst().path("status").asText()));
        assumeFalse(kills.mayHaveHappened(), "the kernel has killed a process, or does not say");
        assertThat(flow.newest().at("/steps/step_1/output").asText()).isEqualTo("done");
    }

    @Test
    void makesAStepNotAgain_whenItsAuthorWantsItToFail() {
        // Given
        var kills = memoryKills();
        var flow = LiveFlow.publish(
                admin,
                webhook().piece("step_1", PROBE, "1.0.0", "stuck", json("{}")).failingOnCrash());
        flow.call(json("{}"));

        // When
        killAtWork(flow);
        var run = flow.ended(1);

        // Then
        assumeFalse(kills.mayHaveHappened(), "the kernel has killed a process, or does not say");
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText())
                .contains("killed")
                .contains("instead of being repeated");
    }

    @Test
    void givesFilesToAnAction() {
        var run = run("read", "{'file':'data:text/plain;base64,aGVsbG8='}");

        assertThat(run.at("/steps/step_1/output"))
                .isEqualTo(json("{'name':'unknown.txt','extension':'txt','length':5,'start':'aGVs'}"));
    }

    @Test
    void pausesTheRun_andCallsTheActionAgainWithWhatResumedIt() {
        var flow = LiveFlow.publish(admin, webhook().piece("step_1", PROBE, "1.0.0", "pause", json("{}")));
        flow.call(json("{}"));
        Waiting.until(
                "the run is paused",
                () -> flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        var paused = flow.newest();

        var url = paused.at("/steps/step_1/output/url").asText();
        assertThat(url).endsWith("/sync?a=b");
        var path = url.substring(url.indexOf("/api/") + "/api".length(), url.indexOf("/sync"));
        admin.api().post(path, json("{'approved':true}"));

        var ended = flow.ended(1);
        assertThat(ended.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(ended.at("/steps/step_1/output")).isEqualTo(json("{'resumed':{'approved':true}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"undefined", "{ version: '1' }"})
    void pausesForAPieceOfAnEarlierKind(String contextInfo) {
        // Given
        var name = "@acme/piece-before" + contextInfo.replaceAll("[^1a-z]", "");
        uploadBefore(name, contextInfo);
        var flow = LiveFlow.publish(
                admin,
                webhook()
                        .piece("step_1", name, "1.0.0", "delayAsBefore", json("{}"))
                        .piece("step_2", name, "1.0.0", "pauseAsBefore", json("{}"))
                        .piece("step_3", PROBE, "1.0.0", "delay", json("{}")));

        // When
        flow.call(json("{}"));
        Waiting.until("the run waits for a call", () -> {
            var run = flow.newest();
            return run.path("status").asText().equals("PAUSED")
                    && run.at("/steps/step_2").has("output");
        });
        var url = flow.newest().at("/steps/step_2/output/url").asText();
        admin.api().post(url.substring(url.indexOf("/api/") + "/api".length()), json("{}"));

        // Then
        var ended = flow.ended(1);
        assertThat(ended.path("status").asText()).as(ended.toString()).isEqualTo("SUCCEEDED");
        assertThat(ended.at("/steps/step_1/output").asText()).isEqualTo("slept");
        assertThat(ended.at("/steps/step_2/output")).isEqualTo(json("{'resumed':'approve'}"));
        assertThat(ended.at("/steps/step_3/output").asText()).isEqualTo("slept");
    }

    /** The probe as a piece with this description of its contexts, and a longer key. */
    private static void uploadBefore(String name, String contextInfo) {
        var piece = PiecePackage.probe(name, "1.0.0");
        var index = new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8)
                .replace("contextInfo: this.getContextInfo()", "contextInfo: " + contextInfo)
                .replace(
                        "getContextInfo() { return { version: '2' }; }",
                        "getContextInfo() { return " + contextInfo + "; }")
                .replace("auth === 'right'", "auth === 'a long key'")
                .replace("[context.payload.body]", "[{ step: context.step.name, props: context.propsValue }]");
        assertThat(upload(piece.with("package/src/index.js", index)).status()).isEqualTo(201);
    }

    @Test
    void givesTheTokenThatThePieceIssuesForItsCredentials() {
        // Given
        var name = "@acme/piece-issuer";
        var piece = PiecePackage.probe(name, "1.0.0");
        var index = new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8)
                .replace("type: 'SECRET_TEXT', displayName: 'Key', required: true,", """
                        type: 'CUSTOM_AUTH', displayName: 'Key', required: true,
                        props: { key: text('Key', true) },
                        refresh: {
                          generate: async ({ auth, server }) => {
                            if (auth.key === 'revoked') throw new Error(`refused at ${new URL(server.apiUrl).pathname}`);
                            return { access_token: `issued for ${auth.key}` };
                          },
                        },""")
                .replace("auth === 'right'", "auth.key");
        assertThat(upload(piece.with("package/src/index.js", index)).status()).isEqualTo(201);

        // When
        var refused = admin.api().post("/v1/app-connections", custom(name, "revoked"));
        var saved = admin.api().post("/v1/app-connections", custom(name, "alpha"));
        var script = webhook().piece("step_1", name, "1.0.0", "whoami", json("{'auth':'{{connections.issuer}}'}"));
        var run = LiveFlow.publish(admin, script).run(json("{}"));

        // Then
        assertThat(refused.text("/code")).isEqualTo("INVALID_APP_CONNECTION");
        assertThat(refused.text("/params/error")).isEqualTo("refused at /api/");
        assertThat(saved.status()).isEqualTo(201);
        assertThat(run.at("/steps/step_1/output/auth/access_token").asText()).isEqualTo("issued for alpha");
        assertThat(run.at("/steps/step_1/output/auth/props/key").asText()).isEqualTo("alpha");
    }

    private static ObjectNode custom(String pieceName, String key) {
        var body = Json.object()
                .put("projectId", admin.projectId())
                .put("externalId", "issuer")
                .put("displayName", "Issuer")
                .put("pieceName", pieceName)
                .put("pieceVersion", "1.0.0")
                .put("type", "CUSTOM_AUTH");
        body.putObject("value").put("type", "CUSTOM_AUTH").putObject("props").put("key", key);
        return body;
    }

    @Test
    void givesTheSecretAlone_toAPieceOfTheOldestKind() {
        // Given
        var name = "@acme/piece-oldest";
        uploadBefore(name, "undefined");
        var other = "@acme/piece-newer";
        uploadBefore(other, "{ version: '1' }");
        assertThat(PackageUploads.connect(admin, name, "a long key", "bare").status())
                .isEqualTo(201);
        var input = "{'auth':'{{connections.bare}}','secret':'{{connections.bare}}'}";

        // When
        var flow = LiveFlow.publish(
                admin,
                trigger(name, "1.0.0", "hook", input)
                        .piece("step_1", name, "1.0.0", "echo", json(input))
                        .piece("step_2", other, "1.0.0", "echo", json(input)));
        var run = flow.run(json("{}"));

        // Then
        var wrapped = json("{'type':'SECRET_TEXT','secret_text':'a long key'}");
        assertThat(run.at("/steps/trigger/output/step").asText()).isEqualTo("hook");
        assertThat(run.at("/steps/trigger/output/props/secret").asText()).isEqualTo("a long key");
        assertThat(run.at("/steps/step_1/output/auth").asText()).isEqualTo("a long key");
        assertThat(run.at("/steps/step_1/output/secret").asText()).isEqualTo("a long key");
        assertThat(run.at("/steps/step_2/output/auth")).isEqualTo(wrapped);
        assertThat(run.at("/steps/step_2/output/secret")).isEqualTo(wrapped);
    }

    @Test
    void keepsWhatAnActionPrints_withoutTheSecretsItWasGiven() {
        var name = "@acme/piece-talks";
        uploadBefore(name, "{ version: '1' }");
        assertThat(PackageUploads.connect(admin, name, "a long key", "talks").status())
                .isEqualTo(201);

        var run = LiveFlow.publish(
                        admin,
                        webhook().piece("step_1", name, "1.0.0", "print", json("{'auth':'{{connections.talks}}'}")))
                .run(json("{}"));

        assertThat(run.at("/steps/step_1/output").asText()).isEqualTo("printed");
        assertThat(run.at("/steps/step_1/standardOutput").asText())
                .startsWith("token is ")
                .doesNotContain("a long key");
        assertThat(run.at("/steps/step_1/standardError").asText()).isEqualTo("to the error output\n");
    }

    @Test
    void reportsAMissingConnection_toAPiece() {
        var run = run("connection", "{}");

        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output").isNull()).isTrue();
    }

    @Test
    void showsWhatAStepHasSoFar_toThoseWhoWatch() {
        // Given
        var flow = LiveFlow.publish(admin, webhook().piece("step_1", PROBE, "1.0.0", "report", json("{}")));
        flow.call(json("{}"));
        Waiting.until("the run continues", () -> !flow.runs().isEmpty());
        var id = flow.newestId();

        // When
        try (var reader = EventReader.open(admin.api(), "/v1/flow-runs/" + id + "/events", null)) {
            Waiting.until(
                    "the step reports, found " + reader.events(),
                    () -> reader.events().stream()
                            .anyMatch(event ->
                                    event.data().at("/output/output/done").asInt() > 1));
            run("enough", "{}");
            reader.awaitEnd();

            // Then
            assertThat(reader.endedSteps()).containsExactly("1 trigger [] SUCCEEDED", "2 step_1 [] SUCCEEDED");
            assertThat(reader.data("2").at("/output/output").asText()).isEqualTo("reported");
        }
    }

    @Test
    void reachesThisServer_thoughItsAddressIsPrivate() {
        var run = LiveFlow.publish(
                        admin,
                        webhook()
                                .piece("step_1", PROBE, "1.0.0", "whoami", json("{}"))
                                .piece(
                                        "step_2",
                                        PROBE,
                                        "1.0.0",
                                        "request",
                                        json("{'url':'{{step_1.output.server.apiUrl}}v1/pieces/categories'}")))
                .run(json("{}"));

        assertThat(run.at("/steps/step_2/output").asInt()).as(run.toString()).isEqualTo(200);
    }

    @Test
    void answersTheQuestionsOfAnAction() {
        assertThat(run("store", "{}").at("/steps/step_1/output").asInt()).isEqualTo(1);
        assertThat(run("store", "{}").at("/steps/step_1/output").asInt()).isEqualTo(2);
        assertThat(run("tag", "{}").path("tags")).extracting(JsonNode::asText).containsExactly("seen");
        assertThat(run("write", "{'bytes':1000000}").at("/steps/step_1/output").asText())
                .startsWith("http");
        assertThat(run("badKey", "{}").at("/steps/step_1/errorMessage").asText())
                .contains("StorageInvalidKeyError");
    }

    @Test
    void givesTheKeyOfAModelProvider_toAPieceThatAsksForIt() {
        // Given
        var made = admin.api()
                .post(
                        "/v1/ai-providers",
                        json(
                                "{'displayName':'Ours','provider':'custom','auth':{'apiKey':'flour'},"
                                        + "'config':{'baseUrl':'https://models.example.com','apiKeyHeader':'x-key','models':[]}}"));

        // When
        var run = run("askServer", "{'path':'v1/ai-providers/custom/config'}");

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(run.at("/steps/step_1/output/auth/apiKey").asText())
                .as(run.toString())
                .isEqualTo("flour");
        assertThat(run.at("/steps/step_1/output/platformId").asText()).isEqualTo(admin.platformId());
    }
}
