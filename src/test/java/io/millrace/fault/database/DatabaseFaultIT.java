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
    void goesOn_whenTheDatabaseComesBack() {
        // given a run whose step is under way
        flow.call(json("{}"));
        outside.awaitCalls(1);

        // when the database goes, and the step ends meanwhile
        way.cut();
        outside.release();
        var refused = server.anonymous().get("/v1/flags");
        var health = server.anonymous().get("/v1/health");
        var started = flow.callAsync("", json("{}")).join();

        // then callers are told to come again, and health says why
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(health.status()).isEqualTo(503);
        assertThat(health.text("/status")).isEqualTo("Unhealthy");
        assertThat(started.status()).isEqualTo(503);
        assertThat(started.headers().firstValue("Retry-After")).isPresent();

        // when it comes back
        way.mend();
        Waiting.until(
                "health says so", () -> server.anonymous().get("/v1/health").status() == 200);

        // then the run ends without intervention, once, its first step is not repeated, and the refused one is not
        // there
        var run = flow.ended(1);
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsExactly("/held", "/after");
    }

    @Test
    void saysThatTheOutcomeIsUnknown_andStartsOneRun_whenTheAnswerToACommitIsLost() {
        // given a flow that has been called before
        var simple = LiveFlow.publish(
                server.signUp("eve@example.com", "Eve"), webhook().map("step_1", "{}"));
        assertThat(keyed(simple, "first").join().status()).isEqualTo(200);

        // when the database performs the start of a run, and its answer is lost
        CompletableFuture<Answer> calling;
        try (var lock = TableLock.againstWrites(proxied.database(), "start_key")) {
            calling = keyed(simple, "second");
            lock.awaitWaiting("start_key");
            way.silence();
        }
        var unknown = calling.join();

        // then its caller does not learn whether its event was accepted
        assertThat(unknown.status()).as(unknown.toString()).isEqualTo(504);
        assertThat(unknown.text("/code")).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(unknown.headers().firstValue("Retry-After")).isEmpty();

        // when the database answers again, and the call is repeated with its key
        way.mend();
        Waiting.until(
                "health says so", () -> server.anonymous().get("/v1/health").status() == 200);
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
        // when connections are cut again and again while runs are under way
        for (var number = 0; number < 20; number++) {
            flow.callAsync("", json("{}")).join();
            server.execute("""
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid()
                    """);
            outside.release();
        }

        // then every run that there is ends well, and leaves nothing behind
        Waiting.until("all have ended", () -> {
            outside.release();
            return server.count("select count(*) from run") == 0;
        });
        assertThat(server.count("select count(*) from ended_run where status <> 'SUCCEEDED'"))
                .isZero();
        assertThat(server.count("select count(*) from ended_run")).isPositive();
        assertThat(server.count("select count(*) from run_step")).isZero();
    }

    /** The first is read while the step looks for the flow, the second written while that flow's trigger begins. */
    @ParameterizedTest
    @CsvSource({"flow, false", "store_entry, true"})
    void callsTheOtherFlowOnce_whenTheConnectionIsLostUnderTheCall(String table, boolean waits) {
        // given a run in the middle of the step before the one that calls another flow
        var owner = server.signUp("bob@example.com", "Bob");
        var called = LiveFlow.publish(owner, callable().returnToCaller("step_1", "{'done':true}"));
        var calling = LiveFlow.publish(
                owner,
                webhook()
                        .http("step_1", "POST", outside.url("/held"))
                        .callFlow("step_2", called.externalId(), "{}", waits));
        calling.call(json("{}"));
        outside.awaitCalls(1);

        // when the connection is lost while the next step calls
        try (var lock = TableLock.of(proxied.database(), table)) {
            outside.release();
            lock.awaitWaiting(table);
            lock.loseWaiting();
        }

        // then the step did nothing wrong: the run goes on, and the other flow is called
        var run = calling.endedAfterOutage(1);
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(called.endedAfterOutage(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(called.runs()).hasSize(1);
        assertThat(outside.paths()).containsExactly("/held");
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "53100"})
    void repeatsWhatTheDatabaseUndid(String state) {
        // given a database that refuses the next writes of each kind, as for others' sake or for want of module
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
    void saysSo_andGoesOn_whenTheDiskIsFull() {
        // given a run under way, and a disk that is full
        flow.call(json("{}"));
        outside.awaitCalls(1);
        server.execute("create table disk (is_full boolean)");
        server.execute("insert into disk values (true)");
        refuseWhile("run_step", "53100", "exists (select from disk where is_full)");

        // when the step has a result that cannot be written
        outside.release();

        // then health says so although the database answers
        Waiting.until(
                "health says so", () -> server.anonymous().get("/v1/health").status() == 503);
        assertThat(server.anonymous().get("/v1/flags").status()).isEqualTo(200);

        // when there is room again
        server.execute("update disk set is_full = false");

        // then the run ends without having repeated its step
        assertThat(flow.ended(1).path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(outside.paths()).containsExactly("/held", "/after");
    }

    /** A sequence does not take back what it gave, so it counts the refusals of transactions that were undone. */
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
