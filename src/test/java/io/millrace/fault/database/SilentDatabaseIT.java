package io.millrace.fault.database;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.ErrorCode;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FaultyProxy;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A database whose host or volume has frozen: connections stay open and are accepted, without any response. */
@Slow(Slow.Reason.FAULT)
final class SilentDatabaseIT {
    /** A fraction of the time that sequential deadlines of so many callers would take. */
    private static final int CALLS = 20;

    @AutoClose
    private final ProxiedServer proxied = ProxiedServer.start();

    private final FaultyProxy way = proxied.way();
    private final Outside outside = proxied.outside();
    private final TestServer server = proxied.server();
    private final TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");
    private final LiveFlow flow = LiveFlow.publish(owner, proxied.callsAroundAWrite());

    @Test
    void refusesIntakeSoon_andResumes_whenTheDatabaseAnswersAgain() {
        // given a run in the middle of a step, and a flow in the cache of the intake
        flow.call(json("{}"));
        outside.awaitCalls(1);
        var other = LiveFlow.publish(owner, webhook().map("step_1", "{'done':true}"));
        assertThat(other.call(json("{}")).status()).isEqualTo(200);

        // when the database falls silent, and the step ends meanwhile
        way.silence();
        outside.release();
        var together = answersOf(IntStream.range(0, CALLS)
                .mapToObj(_ -> other.callAsync("", json("{}")))
                .toList());
        var alone =
                IntStream.range(0, CALLS).mapToObj(_ -> other.call(json("{}"))).toList();

        // then callers get a 503, except those whose run was being written before the end of the step, and the health
        // check reports it
        var refused = together.stream()
                .filter(answer -> !answer.text("/code").equals(ErrorCode.OUTCOME_UNKNOWN.name()))
                .toList();
        assertThat(refused).hasSizeGreaterThan(0).allSatisfy(SilentDatabaseIT::isRefused);
        assertThat(alone).allSatisfy(SilentDatabaseIT::isRefused);
        Waiting.until(
                "the health check reports it",
                () -> server.anonymous().get("/v1/health").status() == 503);
        assertThat(server.anonymous().get("/v1/flags").status()).isEqualTo(503);
        isRefused(other.callAsync("/sync", json("{}")).join());

        // when it answers again
        way.mend();
        Waiting.until(
                "the health check reports it",
                () -> server.anonymous().get("/v1/health").status() == 200);

        // then the run ends without intervention, once, and no step is repeated
        var run = flow.ended(1);
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsExactly("/held", "/after");

        // then accepted events run, and refused ones ran at most once
        assertThat(other.call(json("{}")).status()).isEqualTo(200);
        Waiting.until("all have ended", () -> server.count("select count(*) from run") == 0);
        assertThat(other.runs()).hasSizeBetween(2, 2 + CALLS);
        assertThat(server.count("select count(*) from ended_run where status <> 'SUCCEEDED'"))
                .isZero();
    }

    @Test
    void endsEveryRunOnce_whenTheDatabaseFallsSilentUnderThemAndItsConnectionsAreLost() {
        // given executing runs, and others that wait for their turn
        var accepted = IntStream.range(0, CALLS)
                .mapToObj(_ -> flow.callAsync("", json("{}")))
                .toList();
        assertThat(answersOf(accepted))
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        outside.awaitCalls(1);

        // when their steps end during a silence that is longer than its detection
        way.silence();
        outside.release();
        Waiting.until(
                "the health check reports it",
                () -> server.anonymous().get("/v1/health").status() == 503);

        // and the database has lost the connections, as after a restart of its host
        way.cut();
        way.mend();

        // then all of them end, and each step was executed once
        Waiting.until("all have ended", Duration.ofSeconds(90), () -> {
            outside.release();
            return server.count("select count(*) from run") == 0;
        });
        assertThat(server.count("select count(*) from ended_run where status = 'SUCCEEDED'"))
                .isEqualTo(CALLS);
        assertThat(outside.paths().stream().filter("/held"::equals)).hasSize(CALLS);
        assertThat(outside.paths().stream().filter("/after"::equals)).hasSize(CALLS);
    }

    private static void isRefused(Answer answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }

    private static List<Answer> answersOf(List<CompletableFuture<Answer>> calls) {
        return calls.stream().map(CompletableFuture::join).toList();
    }
}
