package io.millrace.integration.diagnosis;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.integration.failure.CauseClass;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Failures that the engine produces, with the rule that classifies each. */
@Slow(Slow.Reason.DURATION)
class FailureTableIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_MAX_FLOW_RUN_LOG_SIZE_MB", "1")
            .with("AP_SANDBOX_MEMORY_LIMIT", "32768")
            .with("AP_MAX_STORE_ENTRY_VALUE_SIZE_KB", "1")
            .with("AP_FLOW_TIMEOUT_SECONDS", "25")
            .startInRealTime(new FailingPiece());

    private static final TestServer.SignedIn OWNER = server.signUp("ada@example.com", "Ada");
    private static final Vertx VERTX = Vertx.vertx();
    private static final HttpServer STAND_IN = Waiting.await(VERTX.createHttpServer()
            .requestHandler(request -> {
                var status = Integer.parseInt(request.path().substring(1));
                if (status == 0) {
                    request.connection().close();
                } else {
                    request.response()
                            .setStatusCode(status)
                            .putHeader("Content-Type", "application/json")
                            .end("{\"message\":\"no\"}");
                }
            })
            .listen(0, "127.0.0.1"));

    @AfterAll
    static void close() {
        Waiting.await(VERTX.close());
    }

    private static String url(int status) {
        return "http://127.0.0.1:" + STAND_IN.actualPort() + "/" + status;
    }

    private static FlowScript get(String url) {
        return webhook().http("step_1", "GET", url);
    }

    private static FlowScript code(String body) {
        return webhook().code("step_1", "export const code = async () => { " + body + " };");
    }

    private static FlowScript piece(String how) {
        return FailingPiece.step(webhook(), how);
    }

    private static Map<String, FlowScript> flows() {
        var flows = new LinkedHashMap<String, FlowScript>();
        // Responses of services.
        flows.put("http 400 | remoteService service.refused 400", get(url(400)));
        flows.put("http 401 | credentials service.denied 401", get(url(401)));
        flows.put("http 402 | remoteService service.refused 402", get(url(402)));
        flows.put("http 403 | credentials service.forbidden 403", get(url(403)));
        flows.put("http 404 | remoteService service.notFound 404", get(url(404)));
        flows.put("http 409 | remoteService service.refused 409", get(url(409)));
        flows.put("http 410 | remoteService service.notFound 410", get(url(410)));
        flows.put("http 422 | remoteService service.refused 422", get(url(422)));
        flows.put("http 429 | remoteService service.rateLimit 429", get(url(429)));
        flows.put("http 500 | remoteService service.failed 500", get(url(500)));
        flows.put("http 502 | remoteService service.failed 502", get(url(502)));
        flows.put("http 503 | remoteService service.failed 503", get(url(503)));
        flows.put("http 504 | remoteService service.failed 504", get(url(504)));
        flows.put("http reset | remoteService service.unreachable", get(url(0)));
        flows.put("http refused port | remoteService service.unreachable", get("http://127.0.0.1:1/"));
        flows.put("http unknown host | remoteService service.unreachable", get("http://mill.invalid/"));
        flows.put("http blocked address | limit limit.blockedAddress", get("http://10.0.0.1/"));
        flows.put(
                "http TLS to a plain port | remoteService service.unreachable",
                get(url(200).replace("http:", "https:")));
        flows.put("http malformed address | authorData data.address", get("not an address"));
        // Code.
        flows.put("code error | authorData code.failed", code("throw new Error('boom');"));
        flows.put("code type error | authorData code.failed", code("return undefined.name;"));
        flows.put("code range error | authorData code.failed", code("return new Array(-1);"));
        flows.put("code reference error | authorData code.failed", code("return missing;"));
        flows.put("code thrown text | authorData code.failed", code("throw 'connection refused ECONNREFUSED';"));
        flows.put("code thrown object | authorData code.failed", code("throw { a: 1 };"));
        flows.put("code thrown null | authorData code.failed", code("throw null;"));
        flows.put("code syntax error | authorData code.compilation", code("return ((;"));
        flows.put("code without export | authorData code.failed", webhook().code("step_1", "const a = 1;"));
        flows.put("code endless loop | limit limit.time", code("for (;;) {}"));
        flows.put("code recursion | authorData code.failed", code("const f = () => f(); f();"));
        flows.put(
                "code memory | limit limit.codeMemory",
                code("const held = []; while (true) held.push(new Uint8Array(500000));"));
        flows.put("code output too large | limit limit.logSize", code("return 'x'.repeat(1200000);"));
        flows.put(
                "code claims a killed process | authorData code.failed",
                code("throw new Error('The server ended 6 times while this run was executing');"));
        // Expressions, loops and routers.
        flows.put(
                "loop over text | authorData data.loopItems",
                webhook().loop("step_1", "{{'text'}}", steps().map("step_2", "{}")));
        flows.put(
                "loop over object | authorData data.loopItems",
                webhook().loop("step_1", "{{trigger.output}}", steps().map("step_2", "{}")));
        flows.put(
                "loop over null | authorData data.loopItems",
                webhook().loop("step_1", "{{null}}", steps().map("step_2", "{}")));
        flows.put(
                "loop with failing step | remoteService service.notFound 404",
                webhook().loop("step_1", "{{[1,2]}}", steps().http("step_2", "GET", url(404))));
        flows.put(
                "loop with failing code | authorData code.failed",
                webhook()
                        .loop(
                                "step_1",
                                "{{[1,2]}}",
                                steps().code(
                                                "step_2",
                                                "export const code = async () => { throw new Error('in a loop'); };")));
        flows.put(
                "loop that fills the log | limit limit.logSize",
                webhook()
                        .loop(
                                "step_1",
                                "{{[1,2,3,4,5,6,7,8]}}",
                                steps().code("step_2", "export const code = async () => 'x'.repeat(300000);")));
        flows.put(
                "missing connection in code | credentials connection.notFound",
                webhook().code("step_1", "export const code = async (i) => i;", "{'a':'{{connections.gone}}'}"));
        flows.put(
                "missing connection in mapping | credentials connection.notFound",
                webhook().map("step_1", "{'a':'{{connections.gone}}'}"));
        flows.put(
                "missing connection in loop | credentials connection.notFound",
                webhook().loop("step_1", "{{connections['gone']}}", steps().map("step_2", "{}")));
        flows.put(
                "missing connection in router | credentials connection.notFound",
                webhook()
                        .firstMatch(
                                "step_1",
                                FlowScript.Branch.whenEqual(
                                        "a", "{{connections['gone']}}", "b", steps().map("step_2", "{}"))));
        flows.put(
                "router without operator | expression expression.operator",
                webhook().firstMatch("step_1", withoutOperator()));
        flows.put(
                "expression limit | limit limit.expression",
                webhook().map("step_1", "{'a':'{{\\\"x\\\".repeat(900000000)}}'}"));
        flows.put("formula | expression expression.formula", piece("named FormulaEvaluationError"));
        // Pieces.
        flows.put("piece message | piece piece.failed", piece("The order is closed"));
        flows.put("piece exception | piece piece.failed", piece("throw no such table"));
        flows.put("piece null pointer | piece piece.failed", piece("null"));
        flows.put("piece status 401 | credentials service.denied 401", piece("status 401"));
        flows.put("piece status 429 | remoteService service.rateLimit 429", piece("status 429"));
        flows.put("piece long message and status | remoteService service.failed 503", piece("long"));
        flows.put("piece connection reset | remoteService service.unreachable", piece("read ECONNRESET 10.1.2.3:443"));
        flows.put("piece timeout | remoteService service.unreachable", piece("timeout of 30000ms exceeded"));
        flows.put("piece fetch | remoteService service.unreachable", piece("named FetchError"));
        flows.put(
                "piece invalid input | authorData data.input",
                FailingPiece.step(webhook(), Json.object().put("how", "ok").put("count", "many")));
        flows.put(
                "piece missing input | authorData data.input",
                FailingPiece.step(
                        webhook(), Json.object().put("how", "ok").put("count", "{{trigger.output.body.none}}")));
        flows.put(
                "piece not installed | piece piece.notInstalled",
                webhook().piece("step_1", "@test/piece-none", "1.0.0", "do", Json.object()));
        flows.put(
                "action not found | piece piece.notInstalled",
                webhook().piece("step_1", FailingPiece.NAME, "1.0.0", "none", Json.object()));
        flows.put("piece process memory | limit limit.codeMemory", piece("crash MEMORY"));
        flows.put("piece process time | limit limit.time", piece("crash TIME"));
        flows.put("expired connection | credentials connection.expired", piece("named ConnectionExpired"));
        flows.put("unusable connection | credentials connection.unusable", piece("named ConnectionLoadingFailure"));
        flows.put("file size | limit limit.fileSize", piece("fileSize"));
        flows.put(
                "pause too long | limit limit.pause",
                webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-delay",
                                "0.3.26",
                                "delayFor",
                                Json.object().put("unit", "days").put("delayFor", 4000)));
        flows.put(
                "store value too large | limit limit.storeValue", webhook().storePut("step_1", "k", "x".repeat(3_000)));
        flows.put("store key too long | authorData data.storeKey", webhook().storePut("step_1", "k".repeat(200), "v"));
        flows.put("store unreachable | platformDefect server.store", piece("named StorageError"));
        flows.put("files unreachable | platformDefect server.store", piece("named FileStoreError"));
        return flows;
    }

    private static FlowScript.Branch withoutOperator() {
        var settings = Json.object().put("branchType", "CONDITION").put("branchName", "a");
        settings.putArray("conditions").addArray().addObject().put("firstValue", "a");
        return new FlowScript.Branch(settings, steps().map("step_2", "{}"));
    }

    @Test
    void classifiesEveryFailureOfTheTable() {
        // Given
        var flows = flows();
        var differences = new ArrayList<String>();

        // When
        flows.forEach((line, script) -> {
            var parts = line.split(" \\| ", 2);
            var found = classified(script);
            if (!found.startsWith(parts[1] + " <-")) {
                differences.add(parts[0] + ": expected " + parts[1] + ", found " + found);
            }
        });

        // Then
        assertThat(differences).isEmpty();
        assertThat(flows).hasSizeGreaterThanOrEqualTo(60);
        assertThat(flows.keySet().stream()
                        .map(line -> line.split(" \\| ")[1].split(" ")[0])
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(CauseClass.values()).map(CauseClass::text).toList());
    }

    private static String classified(FlowScript script) {
        var flow = LiveFlow.draft(OWNER, script);
        var publish = Json.object().put("type", "LOCK_AND_PUBLISH");
        publish.putObject("request");
        var published = flow.operate(publish);
        if (published.status() != 200) {
            return "not published: " + published;
        }
        var run = flow.run(json("{'xs':[1]}"));
        var diagnosis = diagnosis(run.path("id").asText());
        var cause = diagnosis.path("cause");
        assertThat(cause.path("evidence")).as("%s", diagnosis).isNotEmpty();
        return (cause.path("class").asText() + " " + cause.path("rule").asText() + " "
                                + cause.path("status").asText(""))
                        .strip()
                + " <- " + run.path("status").asText() + " " + cause.path("message");
    }

    private static JsonNode diagnosis(String runId) {
        var answer = OWNER.api().get("/v1/flow-runs/" + runId + "/diagnosis");
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body();
    }
}
