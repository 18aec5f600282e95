package io.millrace.engine.run.admission;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Concurrency limit of runs per project: two, unless the project or its pool has another limit. */
class ConcurrencyLimiterIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls()
            .with("AP_DEFAULT_CONCURRENT_JOBS_LIMIT", "2")
            .startInRealTime();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @AutoClose
    private Outside outside = Outside.start();

    private FlowScript held() {
        return webhook().http("step_1", "GET", outside.url("/held/{{trigger.output.body.n}}"));
    }

    private static List<String> statuses(LiveFlow flow) {
        return flow.runs().stream()
                .map(run -> run.path("status").asText())
                .sorted()
                .toList();
    }

    private static void send(LiveFlow flow, int from, int to) {
        for (var n = from; n <= to; n++) {
            assertThat(flow.call(Json.object().put("n", n)).status()).isEqualTo(200);
        }
    }

    private static void awaitStatuses(LiveFlow flow, String... expected) {
        Waiting.until("statuses " + List.of(expected), () -> statuses(flow).equals(List.of(expected)));
    }

    @Test
    void startsASuspectBeforeTheOthersInLine_soThatItIsNotBlamedForWaiting() {
        // given runs over the limit, the last of which was executing when two servers ended
        var flow = LiveFlow.publish(owner, held());
        send(flow, 1, 2);
        outside.awaitCalls(2);
        send(flow, 3, 5);
        awaitStatuses(flow, "QUEUED", "QUEUED", "QUEUED", "RUNNING", "RUNNING");
        var last = flow.newest().path("id").asText();
        server.execute("update run set owner = 'dead', fence = fence + 1, crashes = 2, status = 'RUNNING' where id = '"
                + last + "'");
        Waiting.until(
                "the suspect is in line",
                () -> server.count(
                                "select count(*) from run where id = $1 and owner <> 'dead' and status = 'QUEUED'",
                                last)
                        == 1);

        // When
        outside.release();

        // Then
        outside.awaitCalls(4);
        assertThat(outside.paths().subList(2, 4)).contains("/held/5");
    }

    @Test
    void keepsRunsOverTheLimitQueued_andStartsThemInTheirOrder() {
        // Given
        var flow = LiveFlow.publish(owner, held());

        // When
        send(flow, 1, 2);
        outside.awaitCalls(2);
        send(flow, 3, 4);

        // Then
        awaitStatuses(flow, "QUEUED", "QUEUED", "RUNNING", "RUNNING");
        assertThat(outside.calls()).hasSize(2);
        var queued = flow.runs().stream()
                .filter(run -> run.path("status").asText().equals("QUEUED"))
                .toList();
        assertThat(queued)
                .allSatisfy(run -> assertThat(run.path("startTime").isNull()).isTrue());

        // When
        outside.release();

        // Then
        outside.awaitCalls(4);
        awaitStatuses(flow, "RUNNING", "RUNNING", "SUCCEEDED", "SUCCEEDED");
        outside.release();
        awaitStatuses(flow, "SUCCEEDED", "SUCCEEDED", "SUCCEEDED", "SUCCEEDED");
        assertThat(outside.paths()).contains("/held/3", "/held/4");
        assertThat(flow.runs())
                .allSatisfy(run -> assertThat(run.hasNonNull("startTime")).isTrue());
    }

    @Test
    void isWrittenAsRunningAfterTheLineOnlyWhenItWaitsForSomething() {
        // given two executing runs, and a database that records runs marked as RUNNING after queueing
        var slow = LiveFlow.publish(owner, held());
        var pure = LiveFlow.publish(owner, webhook().returnJson("step_1", "{'done':true}"));
        var pausing = LiveFlow.publish(owner, webhook().delay("step_1", 3600));
        send(slow, 1, 2);
        outside.awaitCalls(2);
        awaitStatuses(slow, "RUNNING", "RUNNING");
        noteWhoIsWrittenAsRunning();
        send(pure, 1, 3);
        send(pausing, 1, 1);
        send(slow, 3, 3);
        awaitStatuses(pure, "QUEUED", "QUEUED", "QUEUED");

        // When
        outside.release();
        outside.awaitCalls(3);

        // Then
        awaitStatuses(pure, "SUCCEEDED", "SUCCEEDED", "SUCCEEDED");
        awaitStatuses(slow, "RUNNING", "SUCCEEDED", "SUCCEEDED");
        assertThat(writtenAsRunning(slow)).isEqualTo(1);
        awaitStatuses(pausing, "PAUSED");
        assertThat(pure.runs())
                .allSatisfy(run -> assertThat(run.hasNonNull("startTime")).isTrue());
        assertThat(pausing.runs().getFirst().hasNonNull("startTime")).isTrue();
        outside.release();
        awaitStatuses(slow, "SUCCEEDED", "SUCCEEDED", "SUCCEEDED");

        // and a run of pure steps is never recorded, unless a cold server takes longer than its time slice
        Waiting.until("a run of pure steps ends without being written as RUNNING", () -> {
            var before = writtenAsRunning(pure);
            endBehindOthers(pure, slow);
            return writtenAsRunning(pure) == before;
        });
        server.execute("drop trigger note_running on run");
    }

    private static void noteWhoIsWrittenAsRunning() {
        server.execute("create table seen_running (flow_id text)");
        server.execute("""
                create function note_running() returns trigger language plpgsql as
                $$ begin insert into seen_running values (new.flow_id); return null; end $$
                """);
        server.execute("""
                create trigger note_running after update on run for each row
                when (old.status = 'QUEUED' and new.status = 'RUNNING') execute function note_running()
                """);
    }

    private static long writtenAsRunning(LiveFlow flow) {
        return server.count("select count(*) from seen_running where flow_id = $1", flow.id());
    }

    /** A run of a flow waits until the two of another one have ended, and ends. */
    private void endBehindOthers(LiveFlow flow, LiveFlow others) {
        var calls = outside.calls().size();
        send(others, calls + 1, calls + 2);
        outside.awaitCalls(calls + 2);
        send(flow, 1, 1);
        assertThat(flow.newest().path("status").asText()).isEqualTo("QUEUED");
        outside.release();
        Waiting.until(
                "all of them have ended",
                () -> Stream.of(flow, others)
                        .flatMap(each -> statuses(each).stream())
                        .allMatch("SUCCEEDED"::equals));
    }

    @Test
    void servesTheWaitingCallerFirst() {
        // Given
        var slow = LiveFlow.publish(owner, held());
        var answering = LiveFlow.publish(
                owner, webhook().http("step_1", "GET", outside.url("/quick")).returnJson("step_2", "{'done':true}"));
        send(slow, 1, 2);
        outside.awaitCalls(2);
        send(slow, 3, 4);
        awaitStatuses(slow, "QUEUED", "QUEUED", "RUNNING", "RUNNING");

        // When
        var answer = answering.callAsync("/sync", json("{}"));
        awaitStatuses(answering, "QUEUED");
        outside.release();

        // Then
        assertThat(answer.join().status()).isEqualTo(200);
        outside.awaitCalls(5);
        outside.release();
        awaitStatuses(slow, "SUCCEEDED", "SUCCEEDED", "SUCCEEDED", "SUCCEEDED");
        assertThat(outside.paths().subList(2, 4)).contains("/quick");
    }

    @Test
    void takesANewLimitAtOnce() {
        // Given
        var flow = LiveFlow.publish(owner, held());
        send(flow, 1, 4);
        outside.awaitCalls(2);
        awaitStatuses(flow, "QUEUED", "QUEUED", "RUNNING", "RUNNING");

        // When
        setLimit(4);

        // Then
        outside.awaitCalls(4);
        outside.release();
        awaitStatuses(flow, "SUCCEEDED", "SUCCEEDED", "SUCCEEDED", "SUCCEEDED");
        setLimit(null);
    }

    private static void setLimit(Integer limit) {
        var body = Json.object().put("maxConcurrentJobs", limit);
        assertThat(owner.api().post("/v1/projects/" + owner.projectId(), body).status())
                .isEqualTo(200);
    }

    @Test
    void sharesTheLimitOfAPool() {
        // Given
        var other = otherProject();
        var poolId = Ids.next();
        server.execute("""
                insert into concurrency_pool (id, created, updated, platform_id, key, max_concurrent_jobs)
                values ($1, now(), now(), $2, 'shared', 1)
                """, poolId, owner.platformId());
        server.execute("update project set pool_id = $1 where id = any($2)", poolId, new String[] {
            owner.projectId(), other.projectId()
        });
        setLimit(null);
        var mine = LiveFlow.publish(owner, held());
        var theirs = LiveFlow.publish(other, held());

        // When
        send(mine, 1, 1);
        outside.awaitCalls(1);
        send(theirs, 2, 2);

        // Then
        awaitStatuses(theirs, "QUEUED");
        outside.release();
        outside.awaitCalls(2);
        outside.release();
        awaitStatuses(theirs, "SUCCEEDED");
        server.execute("update project set pool_id = null");
        setLimit(null);
    }

    private static TestServer.SignedIn otherProject() {
        var made = owner.api().post("/v1/projects", Json.object().put("displayName", "Other"));
        assertThat(made.status()).isEqualTo(201);
        return new TestServer.SignedIn(owner.api(), owner.userId(), owner.platformId(), made.text("/id"));
    }

    @Test
    void limitsNoTestRuns() {
        // Given
        var flow = LiveFlow.publish(owner, held());
        send(flow, 1, 2);
        outside.awaitCalls(2);

        // When
        var drafts = List.of(flow.callAsync("/draft", json("{'n':3}")), flow.callAsync("/draft", json("{'n':4}")));

        // Then
        outside.awaitCalls(4);
        outside.release();
        assertThat(drafts).allSatisfy(call -> assertThat(call.join().status()).isEqualTo(200));
        awaitStatuses(flow, "SUCCEEDED", "SUCCEEDED");
    }

    @Test
    void resumesQueuedRuns_afterARestart() {
        // given a server with queued runs when it stops
        var first = ServerSettings.localCalls()
                .with("AP_DEFAULT_CONCURRENT_JOBS_LIMIT", "1")
                .startInRealTime();
        var ada = first.signUp("ada@example.com", "Ada");
        var flow = LiveFlow.publish(ada, webhook().http("step_1", "GET", outside.url("/held")));
        send(flow, 1, 3);
        outside.awaitCalls(1);
        awaitStatuses(flow, "QUEUED", "QUEUED", "RUNNING");

        // When
        first.stopServer();
        try (var second = first.successor()) {
            var later = flow.at(second);

            // Then
            Waiting.until("every run has ended", () -> {
                outside.release();
                return statuses(later).equals(List.of("SUCCEEDED", "SUCCEEDED", "SUCCEEDED"));
            });
            assertThat(later.runs()).map(run -> run.path("startTime")).noneMatch(JsonNode::isNull);
        }
        first.close();
    }

    private static Answer limit(LiveFlow flow, String limits) {
        return owner.api().post("/v1/flows/" + flow.id() + "/limits", json(limits));
    }

    @Test
    void keepsRunsOfAFlowInLine_whenTheFlowIsLimited() {
        // given a limit of one, below the project's two
        var flow = LiveFlow.publish(owner, held());
        var other = LiveFlow.publish(owner, held());
        assertThat(limit(flow, "{'flow':{'concurrentRuns':1}}").body())
                .isEqualTo(json("{'flow':{'concurrentRuns':1},'connections':[]}"));

        // When
        send(flow, 1, 2);
        send(other, 3, 3);

        // Then
        awaitStatuses(flow, "QUEUED", "RUNNING");
        awaitStatuses(other, "RUNNING");
        outside.awaitCalls(2);

        // when this limit is removed, but not the project's
        outside.release();
        awaitStatuses(flow, "RUNNING", "SUCCEEDED");
        send(flow, 4, 4);
        awaitStatuses(flow, "QUEUED", "RUNNING", "SUCCEEDED");
        assertThat(limit(flow, "{}").body()).isEqualTo(json("{'flow':null,'connections':[]}"));

        // Then
        awaitStatuses(flow, "RUNNING", "RUNNING", "SUCCEEDED");
        outside.release();
        awaitStatuses(flow, "SUCCEEDED", "SUCCEEDED", "SUCCEEDED");
    }

    @Test
    void countsTheRunsOfAllFlowsThatLimitAConnection_byTheStrictest() {
        // Given
        var one = LiveFlow.publish(owner, held());
        var two = LiveFlow.publish(owner, held());
        limit(one, "{'connections':[{'externalId':'crm','concurrentRuns':1}]}");
        limit(two, "{'connections':[{'externalId':'crm','concurrentRuns':2}]}");

        // When
        send(one, 1, 1);
        outside.awaitCalls(1);
        send(two, 2, 2);

        // Then
        awaitStatuses(two, "QUEUED");
        outside.release();
        awaitStatuses(one, "SUCCEEDED");
        outside.awaitCalls(2);
        outside.release();
        awaitStatuses(two, "SUCCEEDED");
    }

    /** Starts count towards the rate even when they precede the limit or this process. */
    @Test
    void startsRunsAtThePaceOfTheirFlow() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
        send(flow, 1, 1);
        flow.ended(1);
        limit(flow, "{'flow':{'starts':1,'periodSeconds':2}}");

        // When
        send(flow, 2, 3);
        flow.ended(3);

        // then; start times have a resolution of some milliseconds, and so have timers
        var starts = flow.runs().stream()
                .map(run -> Instant.parse(run.path("startTime").asText()))
                .sorted()
                .toList();
        for (var i = 1; i < starts.size(); i++) {
            assertThat(Duration.between(starts.get(i - 1), starts.get(i))).isGreaterThan(Duration.ofMillis(1_950));
        }
    }

    @Test
    void refusesLimitsThatAreNone() {
        // Given
        var flow = LiveFlow.draft(owner, webhook());
        var stranger = server.signUp("eve@example.com", "Eve");

        for (var limits : List.of(
                "{'flow':{}}",
                "{'flow':{'concurrentRuns':0}}",
                "{'flow':{'starts':1}}",
                "{'flow':{'periodSeconds':1}}",
                "{'flow':{'starts':1,'periodSeconds':86401}}",
                "{'connections':[{'concurrentRuns':1}]}",
                "{'connections':[{'externalId':'a','concurrentRuns':1},{'externalId':'a','concurrentRuns':2}]}",
                "{'connections':{}}")) {
            // When
            var refused =
                    owner.api().postText("/v1/flows/" + flow.id() + "/limits", Json.text(json(limits)), "x-a", "b");

            // Then
            assertThat(refused.status()).as(limits).isEqualTo(400);
        }
        var path = "/v1/flows/" + flow.id() + "/limits";
        assertThat(owner.api().get(path).body()).isEqualTo(json("{'flow':null,'connections':[]}"));
        assertThat(stranger.api().get(path).status()).isNotEqualTo(200);
        assertThat(stranger.api().post(path, json("{}")).status()).isNotEqualTo(200);
        assertThat(owner.api().get("/v1/flows/" + Ids.next() + "/limits").status())
                .isEqualTo(404);
    }
}
