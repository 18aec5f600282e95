package io.millrace.engine.run.replay;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class HistoryIT {
    private static final int RUNS_MAX = 20_000;

    @AutoClose
    private TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_REDECISION_RUNS_MAX", "" + RUNS_MAX)
            .start();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada").inTeam("Mill");

    private static FlowScript sizes(String limit) {
        return webhook()
                .map("total", "{'sum':'{{trigger.output.body.x}}'}")
                .firstMatch(
                        "size",
                        Branch.whenEqual(
                                "Large",
                                "{{total.output.sum}}",
                                limit,
                                steps().storePut("warn", "w", "{{trigger.output.body.x}}")),
                        Branch.otherwise(steps().storePut("keep", "k", "{{trigger.output.body.x}}")))
                .returnJson("answer", "{'sum':'{{total.output.sum}}'}");
    }

    private Answer redecide(LiveFlow flow, ObjectNode body) {
        return owner.api().post("/v1/flows/" + flow.id() + "/redecide", body);
    }

    private static JsonNode result(Answer answer) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        var text = answer.body().asText();
        var data = text.substring(text.indexOf("event: result\ndata: ") + "event: result\ndata: ".length());
        return Json.trusted(data.substring(0, data.indexOf('\n')));
    }

    private static JsonNode group(JsonNode result, String kind) {
        return StreamSupport.stream(result.path("groups").spliterator(), false)
                .filter(group -> group.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow(() -> new AssertionError("expected a group " + kind + " in " + result));
    }

    private LiveFlow withRuns(int... xs) {
        var flow = LiveFlow.publish(owner, sizes("2"));
        for (var x : xs) {
            server.clock().advance(Duration.ofSeconds(1));
            assertThat(flow.callAndWait(Json.object().put("x", x)).status()).isEqualTo(200);
        }
        flow.ended(xs.length);
        return flow;
    }

    @Test
    void decidesTheOtherRuns_whenOneLogCannotBeRead() {
        var flow = withRuns(1, 3, 1);
        server.execute("update ended_run set log = '\\x00ff00' where id ="
                + " (select id from ended_run order by created, id limit 1)");

        var result = result(redecide(flow, Json.object().put("version", "published")));

        assertThat(group(result, "SAME").path("count").asInt()).isEqualTo(2);
        assertThat(group(result, "NOT_RECOMPUTABLE").path("count").asInt()).isEqualTo(1);
        assertThat(group(result, "NOT_RECOMPUTABLE").path("reason").asText()).isEqualTo("its log cannot be read");
    }

    @Test
    void groupsRunsByTheFirstDifference_withExamples() {
        var flow = withRuns(1, 2, 3, 2, 2, 2);
        flow.change(sizes("3"));
        var rows = server.count("select count(*) from store_entry");

        var answer = redecide(flow, Json.object().put("version", "draft"));

        var result = result(answer);
        assertThat(answer.body().asText()).contains("event: progress\ndata: {\"runs\":6");
        assertThat(result.path("runs").asInt()).isEqualTo(6);
        assertThat(group(result, "SAME").path("count").asInt()).isEqualTo(1);
        var other = group(result, "OTHER_BRANCH");
        assertThat(other.path("count").asInt()).isEqualTo(5);
        assertThat(other.path("step").asText()).isEqualTo("size");
        assertThat(other.path("examples")).hasSize(3);
        assertThat(other.at("/examples/0/before")).isEqualTo(json("['Large']"));
        assertThat(other.at("/examples/0/now")).isEqualTo(json("['Otherwise']"));
        assertThat(other.at("/examples/0/runId").asText()).isEqualTo(flow.newestId());
        assertThat(server.count("select count(*) from store_entry")).isEqualTo(rows);
        assertThat(flow.runs()).hasSize(6);
    }

    @Test
    void findsEveryRunTheSame_forThePublishedVersion() {
        var flow = withRuns(1, 2, 3);

        var result = result(redecide(flow, Json.object().put("version", "published")));

        assertThat(result.path("same").asInt()).isEqualTo(3);
        assertThat(result.path("groups")).hasSize(1);
    }

    @Test
    void readsTheNewestRunsThatMatch() {
        var flow = withRuns(1, 2, 3);
        flow.change(sizes("3"));

        var newest = result(redecide(flow, Json.object().put("version", "draft").put("sample", 1)));
        var failed = Json.object().put("version", "draft");
        failed.putObject("filter").putArray("status").add("FAILED");
        var none = result(redecide(flow, failed));

        assertThat(newest.path("runs").asInt()).isEqualTo(1);
        assertThat(newest.path("otherBranch").asInt()).isEqualTo(1);
        assertThat(none.path("runs").asInt()).isZero();
    }

    @Test
    void namesTheDeletedLogs() {
        var flow = withRuns(1, 2);
        server.execute("alter table ended_run disable trigger ended_is_final");
        server.execute("update ended_run set log = null where id = $1", flow.newestId());

        var result = result(redecide(flow, Json.object().put("version", "published")));

        assertThat(group(result, "NOT_RECOMPUTABLE").path("reason").asText()).isEqualTo("its log has been removed");
        assertThat(result.path("same").asInt()).isEqualTo(1);
    }

    @Test
    void walksTheBatchesOfALongHistory() {
        var flow = withRuns(1, 2);
        server.execute("""
                insert into ended_run select (jsonb_populate_record(e, jsonb_build_object('id', left(md5(e.id || n), 21)))).*
                from ended_run e, generate_series(1, 2600) n
                """);
        flow.change(sizes("3"));

        var result = result(redecide(flow, Json.object().put("version", "draft").put("sample", 5_000)));

        assertThat(result.path("runs").asInt()).isEqualTo(5_000);
        assertThat(result.path("same").asInt() + result.path("otherBranch").asInt())
                .isEqualTo(5_000);
    }

    @Test
    void refusesBeforeItStreams() {
        var flow = withRuns(1);
        var vera = server.signUp("vera@example.com", "Vera", PlatformRole.MEMBER);

        assertThat(redecide(flow, Json.object()).status()).isEqualTo(400);
        assertThat(redecide(flow, Json.object().put("version", "published").put("sample", 0))
                        .status())
                .isEqualTo(400);
        assertThat(redecide(flow, Json.object().put("version", "published").put("sample", RUNS_MAX))
                        .status())
                .isEqualTo(200);
        assertThat(redecide(flow, Json.object().put("version", "published").put("sample", RUNS_MAX + 1))
                        .status())
                .isEqualTo(400);
        assertThat(redecide(flow, Json.object().put("version", "a".repeat(21))).status())
                .isEqualTo(404);
        assertThat(redecide(flow, Json.object().put("version", "nonsense")).status())
                .isEqualTo(404);
        var other = LiveFlow.publish(owner, sizes("9")).run(json("{'x':1}"));
        assertThat(redecide(
                                flow,
                                Json.object()
                                        .put(
                                                "version",
                                                other.path("flowVersionId").asText()))
                        .status())
                .isEqualTo(404);
        assertThat(vera.api()
                        .post(
                                "/v1/flows/" + flow.id() + "/redecide",
                                Json.object().put("version", "draft"))
                        .status())
                .isEqualTo(403);
    }
}
