package io.millrace.engine.action;

import static io.millrace.engine.action.ActionRunBench.PIECE;
import static io.millrace.engine.action.ActionRunBench.RUN;
import static io.millrace.engine.action.ActionRunBench.RUNS;
import static io.millrace.engine.action.ActionRunBench.SECRET;
import static io.millrace.engine.action.ActionRunBench.connect;
import static io.millrace.engine.action.ActionRunBench.echo;
import static io.millrace.engine.action.ActionRunBench.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of single actions over HTTP: results, refusals, keys, records and limits. */
final class ActionRunIT {
    private static final ActionRunBench BENCH = new ActionRunBench();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(
            Map.of(
                    "AP_ACTION_RUNS_WAITING_MAX",
                    "2",
                    "AP_MAX_FLOW_RUN_LOG_SIZE_MB",
                    "3",
                    "AP_FLOW_TIMEOUT_SECONDS",
                    "60"),
            List.of(BENCH.piece()));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn other = ada.inTeam("Other");
    private static TestServer.SignedIn foreigner = server.foreigner();

    @BeforeEach
    void forget() {
        BENCH.keys.clear();
        BENCH.held.clear();
    }

    private static Answer keyed(JsonNode body, String key) {
        return ada.api()
                .send("POST", RUN, Map.of("Content-Type", "application/json", "Idempotency-Key", key), Json.text(body));
    }

    private static Answer ended(String id) {
        Waiting.until(
                "the end of the action run",
                () -> ada.api().get(RUNS + "/" + id).body().has("ended"));
        return ada.api().get(RUNS + "/" + id);
    }

    @Test
    void answersTheOutput_andRecordsTheRun() {
        // When
        var answer = ada.api().post(RUN, echo(ada, "hello"));

        // Then
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.text("/status")).isEqualTo("SUCCEEDED");
        assertThat(answer.text("/output/text")).isEqualTo("hello");
        assertThat(answer.body().at("/output/times").asInt())
                .as("default of the action")
                .isEqualTo(1);
        assertThat(answer.text("/pieceVersion")).isEqualTo("1.2.0");
        assertThat(answer.text("/userId")).isEqualTo(ada.userId());
        assertThat(ada.api().get(RUNS + "/" + answer.text("/id")).body()).isEqualTo(answer.body());
        var listed = ada.api().get(RUNS + "?projectId=" + ada.projectId() + "&actionName=echo&status=SUCCEEDED");
        assertThat(listed.body().path("data").findValuesAsText("id")).contains(answer.text("/id"));
        assertThat(listed.body().at("/data/0").has("output")).isFalse();
        assertThat(server.count(
                        "select count(*) from action_run where id = $1 and sealed_input is null", answer.text("/id")))
                .isOne();
    }

    @Test
    void answersImmediately_andContinues_whenAsync() {
        // When
        var accepted =
                ada.api().post(RUN, request(ada, "hold").put("mode", "async").put("pieceVersion", "1.2.0"));

        // Then
        assertThat(accepted.status()).as(accepted.toString()).isEqualTo(202);
        assertThat(accepted.body().has("output")).isFalse();
        Waiting.until("the action", () -> BENCH.held.size() == 1);
        assertThat(ada.api().get(RUNS + "/" + accepted.text("/id")).text("/status"))
                .isEqualTo("RUNNING");
        BENCH.held.getFirst().complete(TextNode.valueOf("late"));
        assertThat(ended(accepted.text("/id")).text("/output")).isEqualTo("late");
    }

    @Test
    void namesWrongFields_andUnknownParts() {
        var wrong = request(ada, "echo");
        wrong.putObject("input").put("txt", "a").put("other", 1);
        var refused = ada.api().post(RUN, wrong);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.toString())
                .contains("body/input/text Required")
                .contains("body/input/txt Unknown input")
                .contains("body/input/other Unknown input");
        assertThat(ada.api()
                        .post(RUN, echo(ada, "a").put("pieceName", "@acme/piece-none"))
                        .status())
                .isEqualTo(404);
        assertThat(ada.api()
                        .post(RUN, echo(ada, "a").put("pieceVersion", "7.0.0"))
                        .status())
                .isEqualTo(404);
        assertThat(ada.api().post(RUN, request(ada, "none")).status()).isEqualTo(404);
        assertThat(ada.api()
                        .post(RUN, echo(ada, "a").put("pieceVersion", "^1.2.0"))
                        .status())
                .isEqualTo(400);
        assertThat(ada.api().post(RUN, echo(ada, "a").put("timeoutSeconds", 61)).status())
                .isEqualTo(400);
        assertThat(ada.api().post(RUN, request(ada, "fail")).toString()).contains("body/connectionExternalId Required");
        assertThat(BENCH.keys).isEmpty();
    }

    @Test
    void refusesConnectionsOfOtherProjectsAndPieces() {
        // Given
        connect(other, "theirs", PIECE);
        connect(ada, "of-http", "@activepieces/piece-http");

        // Then
        var foreign = ada.api().post(RUN, request(ada, "fail").put("connectionExternalId", "theirs"));
        assertThat(foreign.status()).isEqualTo(404);
        var ofOther = ada.api().post(RUN, request(ada, "fail").put("connectionExternalId", "of-http"));
        assertThat(ofOther.status()).isEqualTo(409);
        assertThat(ofOther.toString()).contains("@activepieces/piece-http");
        var injected = ada.api().post(RUN, request(ada, "fail").put("connectionExternalId", "a']}}{{variables['b"));
        assertThat(injected.status()).isEqualTo(400);
        assertThat(foreigner.api().post(RUN, echo(ada, "a")).status()).isEqualTo(403);
    }

    @Test
    void answersAFailureAsAResult_withoutTheSecret() {
        // Given
        connect(ada, "mine", PIECE);

        // When
        var answer = ada.api().post(RUN, request(ada, "fail").put("connectionExternalId", "mine"));

        // Then
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.text("/status")).isEqualTo("FAILED");
        assertThat(answer.text("/failure/message")).isEqualTo("refused **REDACTED**");
        assertThat(answer.toString()).doesNotContain(SECRET);
        assertThat(ada.api().post(RUN, request(ada, "break")).text("/failure/message"))
                .contains("a defect");
    }

    @Test
    void masksCredentialsThatTheCallerWrote() {
        // Given
        var request = request(ada, "fail");
        request.putObject("input").putObject("auth").put("type", "SECRET_TEXT").put("secret_text", "inline-secret");
        var token = echo(ada, "a");
        token.withObject("/input").put("token", "tok-123456");

        // Then
        assertThat(ada.api().post(RUN, request).text("/input/auth")).isEqualTo("**REDACTED**");
        assertThat(ada.api().post(RUN, token).text("/input/token")).isEqualTo("**REDACTED**");
    }

    @Test
    void performsARequestOnce_underItsKey() {
        // When
        var first = keyed(echo(ada, "once"), "key-1");
        var again = keyed(echo(ada, "once"), "key-1");
        var changed = keyed(echo(ada, "twice"), "key-1");

        // Then
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(BENCH.keys).containsExactly(first.text("/id") + "/step_1");
        assertThat(changed.status()).isEqualTo(422);
        assertThat(keyed(echo(ada, "twice"), "key-2").text("/id")).isNotEqualTo(first.text("/id"));
    }

    @Test
    void waitsForTheFirstRun_whenItsKeyIsRepeated() {
        // Given
        var accepted = keyed(request(ada, "hold").put("mode", "async"), "key-3");
        Waiting.until("the action", () -> BENCH.held.size() == 1);

        // When
        var waiting = ada.api()
                .sendAsync(
                        "POST",
                        RUN,
                        Map.of("Content-Type", "application/json", "Idempotency-Key", "key-3"),
                        Json.text(request(ada, "hold")));
        BENCH.held.getFirst().complete(TextNode.valueOf("same"));

        // Then
        var answer = waiting.join();
        assertThat(answer.text("/id")).isEqualTo(accepted.text("/id"));
        assertThat(answer.text("/output")).isEqualTo("same");
        assertThat(BENCH.keys).hasSize(1);
    }

    @Test
    void endsAtItsTimeLimit_andAtTheLimitOfItsOutput() {
        var late = ada.api().post(RUN, request(ada, "hold").put("timeoutSeconds", 1));
        assertThat(late.text("/status")).isEqualTo("TIMEOUT");
        assertThat(late.text("/failure/message")).contains("1 s");
        var large = ada.api().post(RUN, request(ada, "large"));
        assertThat(large.text("/status")).isEqualTo("LOG_SIZE_EXCEEDED");
        assertThat(large.body().has("output")).isFalse();
    }

    @Test
    void refusesAStart_whenTooManyAreWaiting() {
        // Given
        var hold = request(ada, "hold").put("mode", "async");
        assertThat(ada.api().post(RUN, hold).status()).isEqualTo(202);
        assertThat(ada.api().post(RUN, hold).status()).isEqualTo(202);

        // Then
        assertThat(ada.api().post(RUN, hold).status()).isEqualTo(429);
        assertThat(other.api().post(RUN, echo(other, "a")).status()).isEqualTo(200);
        Waiting.until("both actions", () -> BENCH.held.size() == 2);
        BENCH.held.forEach(held -> held.complete(TextNode.valueOf("done")));
        Waiting.until("room", () -> ada.api().post(RUN, echo(ada, "b")).status() == 200);
    }

    @Test
    void admitsNoMoreThanTheLimit_ofStartsAtTheSameMoment() {
        // Given
        var hold = Json.text(request(ada, "hold").put("mode", "async"));

        // When
        var starts = IntStream.range(0, 12)
                .mapToObj(_ -> ada.api().sendAsync("POST", RUN, Map.of("Content-Type", "application/json"), hold))
                .toList();

        // Then
        assertThat(starts.stream().map(start -> start.join().status()).filter(status -> status == 202))
                .hasSize(2);
        Waiting.until("both actions", () -> BENCH.held.size() == 2);
        BENCH.held.forEach(held -> held.complete(TextNode.valueOf("done")));
        Waiting.until("room", () -> ada.api().post(RUN, echo(ada, "b")).status() == 200);
    }

    @Test
    void hidesRunsOfOtherProjects() {
        var id = ada.api().post(RUN, echo(ada, "mine")).text("/id");
        assertThat(foreigner.api().get(RUNS + "/" + id).status()).isEqualTo(403);
        assertThat(foreigner.api().get(RUNS + "?projectId=" + ada.projectId()).status())
                .isEqualTo(403);
        assertThat(ada.api().get(RUNS + "/" + "abcdefghijklmnopqrstu").status()).isEqualTo(404);
    }
}
