package io.millrace.engine.run.query;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reading runs (contract flows-and-engine 5.3 to 5.5): 30 runs of one flow, 5 of another that fails. */
class RunListIT {
    private static final int RUNS = 30;
    private static final int FAILED_RUNS = 5;

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");
    private static LiveFlow good = LiveFlow.publish(owner, webhook().map("step_1", "{}"));
    private static LiveFlow bad =
            LiveFlow.publish(owner, webhook().loop("step_1", "No List: 100% {{trigger.output.body}}", steps()));
    private static String betweenThem;

    @BeforeAll
    static void start() {
        call(good, RUNS);
        server.clock().advance(Duration.ofSeconds(10));
        betweenThem = Json.timestamp(server.clock().instant());
        server.clock().advance(Duration.ofSeconds(10));
        call(bad, FAILED_RUNS);
    }

    private static void call(LiveFlow flow, int count) {
        for (var call = 0; call < count; call++) {
            assertThat(flow.call(json("{}")).status()).isEqualTo(200);
        }
        Waiting.until(count + " runs have ended", () -> flow.runs().size() == count);
    }

    @Test
    void walksAllPages_forthAndBack() {
        // When
        var forth = new ArrayList<List<String>>();
        var page = list("&limit=10");
        forth.add(ids(page));
        while (page.body().hasNonNull("next")) {
            page = list("&limit=10&cursor=" + page.text("/next"));
            forth.add(ids(page));
        }
        var back = new ArrayList<List<String>>();
        while (page.body().hasNonNull("previous")) {
            page = list("&limit=10&cursor=" + page.text("/previous"));
            back.addFirst(ids(page));
        }

        // Then
        assertThat(forth).hasSize(4);
        assertThat(forth.stream().flatMap(List::stream))
                .hasSize(RUNS + FAILED_RUNS)
                .doesNotHaveDuplicates();
        assertThat(back).isEqualTo(forth.subList(0, 3));
        assertThat(list("").body().path("data")).hasSize(10);
    }

    @Test
    void listsTheNewestFirst_withoutSteps() {
        // When
        var runs = list("&limit=100").body().path("data");

        // Then
        assertThat(runs.get(0).path("flowId").asText()).isEqualTo(bad.id());
        assertThat(runs.get(FAILED_RUNS).path("flowId").asText()).isEqualTo(good.id());
        assertThat(runs.get(0).has("steps")).isFalse();
    }

    @Test
    void listsTheNewestRunsOfEachFlow_besideBusyFlows() {
        // When
        var one = latest("&limit=1&flowId=" + good.id() + "&flowId=" + bad.id());
        var many = latest("&limit=50&flowId=" + good.id() + "&flowId=" + bad.id());

        // Then
        assertThat(one).extracting(run -> run.path("flowId").asText()).containsExactlyInAnyOrder(good.id(), bad.id());
        assertThat(one)
                .extracting(run -> run.path("id").asText())
                .contains(
                        good.runs().getFirst().path("id").asText(),
                        bad.runs().getFirst().path("id").asText());
        assertThat(many).hasSize(RUNS + FAILED_RUNS);
        assertThat(latest("&flowId=" + good.id())).hasSize(12);
        assertThat(latest("&flowId=" + Ids.next())).isEmpty();
        assertThat(latest("")).isEmpty();
    }

    @Test
    void refusesALimitOfLatestRunsOverItsMaximum() {
        var of = "/v1/flow-runs/latest?projectId=" + owner.projectId() + "&flowId=" + good.id() + "&limit=";

        assertThat(owner.api().get(of + "50").status()).isEqualTo(200);
        assertThat(owner.api().get(of + "51").status()).isEqualTo(400);
        assertThat(owner.api().get(of + "0").status()).isEqualTo(400);
    }

    private static List<JsonNode> latest(String query) {
        return owner.api()
                .get("/v1/flow-runs/latest?projectId=" + owner.projectId() + query)
                .body()
                .path("data")
                .valueStream()
                .toList();
    }

    @Test
    void filtersByFlowAndStatus() {
        assertThat(count("&flowId=" + good.id())).isEqualTo(RUNS);
        assertThat(count("&flowId=" + good.id() + "&flowId=" + bad.id())).isEqualTo(RUNS + FAILED_RUNS);
        assertThat(count("&flowId=" + Ids.next())).isZero();
        assertThat(count("&status=FAILED")).isEqualTo(FAILED_RUNS);
        assertThat(count("&status=FAILED&status=SUCCEEDED")).isEqualTo(RUNS + FAILED_RUNS);
        assertThat(count("&status=RUNNING")).isZero();
    }

    @Test
    void filtersByTimeOfCreation() {
        assertThat(count("&createdAfter=" + betweenThem)).isEqualTo(FAILED_RUNS);
        assertThat(count("&createdBefore=" + betweenThem)).isEqualTo(RUNS);
        assertThat(count("&createdAfter=" + betweenThem + "&createdBefore=" + betweenThem))
                .isZero();
    }

    @Test
    void takesTheBoundsOfTimeAsInclusive() {
        // Given
        var created = bad.runs().getFirst().path("created").asText();

        // Then
        assertThat(count("&createdAfter=" + created + "&createdBefore=" + created))
                .isEqualTo(FAILED_RUNS);
    }

    @Test
    void walksAllPagesOfAFilterByTime_forthAndBack() {
        // Given
        var bounds = "&createdAfter=" + betweenThem.replaceFirst("^....", "2000") + "&createdBefore=" + betweenThem;

        // When
        var forth = new ArrayList<List<String>>();
        var page = list("&limit=7" + bounds);
        forth.add(ids(page));
        while (page.body().hasNonNull("next")) {
            page = list("&limit=7" + bounds + "&cursor=" + page.text("/next"));
            forth.add(ids(page));
        }
        var back = new ArrayList<List<String>>();
        while (page.body().hasNonNull("previous")) {
            page = list("&limit=7" + bounds + "&cursor=" + page.text("/previous"));
            back.addFirst(ids(page));
        }

        // Then
        assertThat(forth.stream().flatMap(List::stream)).hasSize(RUNS).doesNotHaveDuplicates();
        assertThat(back).isEqualTo(forth.subList(0, forth.size() - 1));
    }

    @Test
    void keepsABoundThatIsNarrowerThanTheCursor() {
        // Given
        var behindTheNewest = list("&limit=1").text("/next");

        // Then
        assertThat(ids(list("&limit=100&createdBefore=" + betweenThem + "&cursor=" + behindTheNewest)))
                .hasSize(RUNS);
    }

    @Test
    void filtersByTheFailedStep() {
        assertThat(count("&failedStepName=step_1")).isEqualTo(FAILED_RUNS);
        assertThat(count("&failedStepName=step")).isZero();
        assertThat(count("&failedStepMessage=MUST%20be")).isEqualTo(FAILED_RUNS);
        assertThat(count("&failedStepMessage=%25")).isZero();
    }

    @Test
    void filtersByIds() {
        // Given
        var id = good.newestId();

        // Then
        assertThat(count("&flowRunIds=" + id + "&flowRunIds=" + Ids.next())).isEqualTo(1);
    }

    @Test
    void filtersByTags_allOfThem() {
        // Given
        var id = good.newestId();
        server.execute("update ended_run set tags = array['red', 'blue'] where id = $1", id);

        // Then
        assertThat(count("&tags=red")).isEqualTo(1);
        assertThat(count("&tags=red&tags=blue")).isEqualTo(1);
        assertThat(count("&tags=red&tags=green")).isZero();
        assertThat(good.run(id).path("tags")).isEqualTo(json("['red','blue']"));
    }

    @Test
    void hidesArchivedRuns_unlessTheyAreAskedFor() {
        // Given
        var id = good.newestId();
        server.execute("update ended_run set archived_at = now() where id = $1", id);

        // Then
        assertThat(count("")).isEqualTo(RUNS + FAILED_RUNS - 1);
        assertThat(count("&includeArchived=false")).isEqualTo(RUNS + FAILED_RUNS - 1);
        assertThat(count("&includeArchived=true")).isEqualTo(RUNS + FAILED_RUNS);
        assertThat(counts("")).isEqualTo(json("[{'status':'SUCCEEDED','count':29},{'status':'FAILED','count':5}]"));
        assertThat(good.run(id).hasNonNull("archivedAt")).isTrue();

        // Finally
        server.execute("update ended_run set archived_at = null where id = $1", id);
    }

    @Test
    void countsByStatus_andTime() {
        assertThat(counts("")).isEqualTo(json("[{'status':'SUCCEEDED','count':30},{'status':'FAILED','count':5}]"));
        assertThat(counts("&createdAfter=" + betweenThem)).isEqualTo(json("[{'status':'FAILED','count':5}]"));
        assertThat(counts("&createdBefore=2020-01-01T00:00:00Z")).isEmpty();
        assertThat(owner.api().get("/v1/flow-runs/count-by-status").status()).isEqualTo(400);
        assertThat(server.anonymous()
                        .get("/v1/flow-runs/count-by-status?projectId=" + owner.projectId())
                        .status())
                .isEqualTo(403);
    }

    private static JsonNode counts(String filter) {
        var path = "/v1/flow-runs/count-by-status?projectId=" + owner.projectId() + filter;
        return owner.api().get(path).body().path("data");
    }

    @Test
    void refusesMalformedQueries() {
        assertThat(list("&createdAfter=%2B99999-01-01T00:00:00Z").status()).isEqualTo(400);
        assertThat(list("&status=SLEEPING").status()).isEqualTo(400);
        assertThat(list("&createdAfter=yesterday").status()).isEqualTo(400);
        assertThat(list("&cursor=none").status()).isEqualTo(400);
        assertThat(list("&limit=none").status()).isEqualTo(400);
        assertThat(owner.api().get("/v1/flow-runs").status()).isEqualTo(400);
    }

    @Test
    void listsNoTestRun_butShowsIt() {
        // Given
        var flow = LiveFlow.publish(owner, webhook().returnJson("step_1", "{'a':1}"));

        // When
        var answer = flow.callAsync("/draft/sync", json("{}")).join();

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(flow.runs()).isEmpty();
        assertThat(server.count(
                        "select count(*) from ended_run where flow_id = $1 and environment = 'TESTING'", flow.id()))
                .isEqualTo(1);
    }

    @Test
    void hidesRunsOfOthers() {
        // Given
        var foreignProject = server.foreignProject();
        var foreignRun = Ids.next();
        server.execute("""
                insert into ended_run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                       start_time, finish_time, fail_parent, tags, steps_count, log)
                values ($1, now(), now(), $2, 'flow', 'version', 'PRODUCTION', 'SUCCEEDED', now(), now(), true, '{}', 0,
                        '{}')
                """, foreignRun, foreignProject);

        // Then
        assertThat(owner.api().get("/v1/flow-runs/" + foreignRun).status()).isIn(403, 404);
        assertThat(owner.api().get("/v1/flow-runs?projectId=" + foreignProject).status())
                .isIn(403, 404);
        assertThat(server.anonymous()
                        .get("/v1/flow-runs?projectId=" + owner.projectId())
                        .status())
                .isEqualTo(403);
    }

    @Test
    void knowsNoUnknownRun() {
        // When
        var answer = owner.api().get("/v1/flow-runs/" + Ids.next());

        // Then
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text("/code")).isEqualTo("ENTITY_NOT_FOUND");
        assertThat(owner.api().get("/v1/flow-runs/short").status()).isEqualTo(400);
    }

    @Test
    void showsARunWithoutSteps_whenItsLogIsGone() {
        // Given
        var id = bad.runs().getLast().path("id").asText();
        server.execute("update ended_run set log = null where id = $1", id);

        // Then
        assertThat(bad.run(id).has("steps")).isFalse();
    }

    private static int count(String filter) {
        var answer = list("&limit=100" + filter);
        assertThat(answer.status()).isEqualTo(200);
        return answer.body().path("data").size();
    }

    private static List<String> ids(Answer page) {
        return page.body()
                .path("data")
                .valueStream()
                .map(run -> run.path("id").asText())
                .toList();
    }

    private static Answer list(String query) {
        return owner.api().get("/v1/flow-runs?projectId=" + owner.projectId() + query);
    }
}
