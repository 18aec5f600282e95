package io.millrace.fault.database;

import static io.millrace.support.FlowScript.callable;
import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FaultyProxy;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of the database: it stops, cuts connections, rolls back transactions, or has no disk space left. */
@Slow(Slow.Reason.FAULT)
final class DatabaseFaultIT {
    @AutoClose
    private final ProxiedServer proxied = ProxiedServer.start();

    private final FaultyProxy way = proxied.way();
    private final Outside outside = proxied.outside();
    private final TestServer server = proxied.server();
    private final LiveFlow flow =
            LiveFlow.publish(server.signUp("ada@example.com", "Ada"), proxied.callsAroundAWrite());

    @Test
    void resumes_whenTheDatabaseIsAvailableAgain() {
        // given a run in the middle of a step
        flow.call(json("{}"));
        outside.awaitCalls(1);

        // when the database stops, and the step ends meanwhile
        way.cut();
        outside.release();
        var refused = server.anonymous().get("/v1/flags");
        var health = server.anonymous().get("/v1/health");
        var started = flow.callAsync("", json("{}")).join();

        // then callers get a 503, and the health check reports it
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(health.status()).isEqualTo(503);
        assertThat(health.text("/status")).isEqualTo("Unhealthy");
        assertThat(started.status()).isEqualTo(503);
        assertThat(started.headers().firstValue("Retry-After")).isPresent();

        // when the database is available again
        way.mend();
        Waiting.until(
                "the health check reports it",
                () -> server.anonymous().get("/v1/health").status() == 200);

        // then the run ends without intervention, once; its first step is not repeated, and the refused event has no
        // run
        var run = flow.ended(1);
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsExactly("/held", "/after");
    }

    @Test
    void answersOutcomeUnknown_andStartsOneRun_whenTheAcknowledgementOfACommitIsLost() {
        // given a flow that has been called before
        var simple = LiveFlow.publish(
                server.signUp("eve@example.com", "Eve"), webhook().map("step_1", "{}"));
        assertThat(keyed(simple, "first").join().status()).isEqualTo(200);

        // when the database performs the start of a run, and its acknowledgement is lost
        CompletableFuture<Answer> calling;
        try (var lock = TableLock.againstWrites(proxied.database(), "start_key")) {
            calling = keyed(simple, "second");
            lock.awaitWaiting("start_key");
            way.silence();
        }
        var unknown = calling.join();

        // then its caller gets a 504 for the unknown outcome
        assertThat(unknown.status()).as(unknown.toString()).isEqualTo(504);
        assertThat(unknown.text("/code")).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(unknown.headers().firstValue("Retry-After")).isEmpty();

        // when the database answers again, and the call is repeated with its key
        way.mend();
        Waiting.until(
                "the health check reports it",
                () -> server.anonymous().get("/v1/health").status() == 200);
        assertThat(keyed(simple, "second").join().status()).isEqualTo(200);

        // then there is one run for each key
        simple.ended(2);
        assertThat(simple.runs()).hasSize(2);
    }

    private CompletableFuture<Answer> keyed(LiveFlow called, String key) {
        return server.anonymous()
                .sendAsync("POST", "/v1/webhooks/" + called.id(), Map.of("Idempotency-Key", key), "{}");
    }

    @Test
    void endsEveryRunOnce_whenConnectionsAreCutUnderIt() {
        // when connections are repeatedly closed while runs execute
        for (var number = 0; number < 20; number++) {
            flow.callAsync("", json("{}")).join();
            server.execute("""
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid()
                    """);
            outside.release();
        }

        // then every run succeeds, and leaves no rows behind
        Waiting.until("all have ended", () -> {
            outside.release();
            return server.count("select count(*) from run") == 0;
        });
        assertThat(server.count("select count(*) from ended_run where status <> 'SUCCEEDED'"))
                .isZero();
        assertThat(server.count("select count(*) from ended_run")).isPositive();
        assertThat(server.count("select count(*) from run_step")).isZero();
    }

    /** The step reads the first table to find the flow; the start of that flow writes the second one. */
    @ParameterizedTest
    @CsvSource({"flow, false", "store_entry, true"})
    void callsTheOtherFlowOnce_whenTheConnectionIsLostUnderTheCall(String table, boolean waits) {
        // given a run in the middle of the step before the call of another flow
        var owner = server.signUp("bob@example.com", "Bob");
        var called = LiveFlow.publish(owner, callable().returnToCaller("step_1", "{'done':true}"));
        var calling = LiveFlow.publish(
                owner,
                webhook()
                        .http("step_1", "POST", outside.url("/held"))
                        .callFlow("step_2", called.externalId(), "{}", waits));
        calling.call(json("{}"));
        outside.awaitCalls(1);

        // when the connection is lost during that call
        try (var lock = TableLock.of(proxied.database(), table)) {
            outside.release();
            lock.awaitWaiting(table);
            lock.loseWaiting();
        }

        // then the step has not failed: the run continues, and the other flow is called
        var run = calling.endedAfterOutage(1);
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(called.endedAfterOutage(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(called.runs()).hasSize(1);
        assertThat(outside.paths()).containsExactly("/held");
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "53100"})
    void repeatsWhatTheDatabaseUndid(String state) {
        // given a database that rejects the next writes of each kind: serialization failure, deadlock, full disk
        for (var table : new String[] {"run", "run_step", "ended_run", "store_entry"}) {
            refuseNext(table, state, 2);
        }

        // when
        var answer = flow.callAsync("", json("{}"));
        outside.awaitCalls(1);
        outside.release();
        var run = flow.ended(1);

        // then
        assertThat(answer.join().status()).isEqualTo(200);
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsExactly("/held", "/after");
    }

    @Test
    void reportsIt_andResumes_whenTheDiskIsFull() {
        // given a run in the middle of a step, and a full disk
        flow.call(json("{}"));
        outside.awaitCalls(1);
        server.execute("create table disk (is_full boolean)");
        server.execute("insert into disk values (true)");
        refuseWhile("run_step", "53100", "exists (select from disk where is_full)");

        // when the result of the step cannot be written
        outside.release();

        // then the health check reports it although the database answers queries
        Waiting.until(
                "the health check reports it",
                () -> server.anonymous().get("/v1/health").status() == 503);
        assertThat(server.anonymous().get("/v1/flags").status()).isEqualTo(200);

        // when there is space again
        server.execute("update disk set is_full = false");

        // then the run ends without a repetition of its step
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsExactly("/held", "/after");
    }

    /** A sequence is not rolled back, so it also counts refusals in transactions that were. */
    private void refuseNext(String table, String state, int times) {
        server.execute("create sequence refusals_of_" + table);
        refuseWhile(table, state, "nextval('refusals_of_" + table + "') <= " + times);
    }

    private void refuseWhile(String table, String state, String condition) {
        server.execute("create function refuse_" + table + "() returns trigger language plpgsql as $$ begin if "
                + condition + " then raise exception 'refused for the test' using errcode = '" + state
                + "'; end if; return new; end $$");
        server.execute("create trigger refuse before insert on " + table + " for each row execute function refuse_"
                + table + "()");
    }
}
