package io.millrace.engine.run.flowtest;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of flows over HTTP. */
final class FlowTestIT {
    private static final String X = "{{trigger.output.body.x}}";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp()
            .with("AP_FLOW_TESTS_MAX", "2")
            .with("AP_FLOW_TEST_MAX_KB", "4")
            .start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private final TestServer.SignedIn mill = ada.inTeam("Mill " + Ids.next());

    private static FlowScript router(String limit) {
        return FlowScript.webhook()
                .storePut("note", "k", X)
                .firstMatch(
                        "size",
                        Branch.whenEqual("Large", X, limit, FlowScript.steps().returnJson("large", "{'says':'large'}")),
                        Branch.otherwise(FlowScript.steps().returnJson("small", "{'says':'small'}")));
    }

    private Answer create(LiveFlow flow, String test) {
        return mill.api().post(path(flow), json(test));
    }

    private static String path(LiveFlow flow) {
        return "/v1/flows/" + flow.id() + "/tests";
    }

    private Answer run(LiveFlow flow, String version) {
        return mill.api().post(path(flow) + "/run", Json.object().put("version", version));
    }

    private static ObjectNode publish() {
        var operation = Json.object().put("type", "LOCK_AND_PUBLISH");
        operation.putObject("request");
        return operation;
    }

    private static final String LARGE = "{'name':'Large','trigger':{'body':{'x':2}},'fixtures':{'steps':{'note':2}},"
            + "'expectations':{'branches':{'size':['Large']},'answer':{'body':{'says':'large'}}}}";

    @Test
    void storesReadsReplacesAndDeletesTests() {
        var flow = LiveFlow.draft(mill, router("2"));

        var created = create(flow, LARGE);
        var one = path(flow) + "/" + created.text("/id");
        var replaced = mill.api().post(one, json(LARGE.replace("'Large','trigger'", "'Big','trigger'")));

        assertThat(created.status()).as("%s", created).isEqualTo(201);
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(mill.api().get(one).text("/name")).isEqualTo("Big");
        assertThat(mill.api().get(path(flow)).body().path("data"))
                .isEqualTo(Json.array().add(replaced.body()));
        assertThat(mill.api().delete(one).status()).isEqualTo(204);
        assertThat(mill.api().get(one).status()).isEqualTo(404);
        assertThat(mill.api().delete(one).status()).isEqualTo(404);
        assertThat(mill.api().post(one, json(LARGE)).status()).isEqualTo(404);
    }

    @Test
    void refusesATestBeyondTheLimits_andLeavesNoRow() {
        var flow = LiveFlow.draft(mill, router("2"));
        var fill = "{'name':'A','trigger':'" + "x".repeat(4_000) + "'}";

        assertThat(create(flow, fill).status()).isEqualTo(201);
        assertThat(create(flow, fill.replace("xxx", "xxxxxx")).text("/params/message"))
                .startsWith("test \"A\": expected at most 4 KiB");
        assertThat(create(flow, LARGE).status()).isEqualTo(201);
        assertThat(create(flow, LARGE).text("/params/message"))
                .isEqualTo("tests: expected at most 2 in the flow, found 2 and another; delete some or raise"
                        + " AP_FLOW_TESTS_MAX");
        assertThat(mill.api().get(path(flow)).body().path("data")).hasSize(2);
    }

    @Test
    void executesTestsOnDraftAndPublishedVersion_andPerformsNothing() {
        var flow = LiveFlow.publish(mill, router("2"));
        create(flow, LARGE);
        flow.change(router("3"));

        var draft = run(flow, "draft");
        var published = run(flow, "published");

        assertThat(draft.body().at("/results/0/state").asText()).as("%s", draft).isEqualTo("failed");
        assertThat(draft.body().at("/results/0/differences/0"))
                .isEqualTo(json("{'path':'answer.body.says','expected':'large','found':'small'}"));
        assertThat(published.body().path("passed").asInt()).isEqualTo(1);
        assertThat(published.body().path("coverage").path("reached").asInt()).isEqualTo(1);
        assertThat(run(flow, published.text("/flowVersionId")).body()).isEqualTo(published.body());
        assertThat(run(flow, Ids.next()).status()).isEqualTo(404);
        assertThat(server.count("select count(*) from store_entry where project_id = $1", mill.projectId()))
                .isZero();
        assertThat(server.count("select count(*) from run where flow_id = $1", flow.id()))
                .isZero();
    }

    @Test
    void makesATestOfARun_thatPasses_withoutItsSecrets() {
        var secret = "s3cret-" + Ids.next();
        mill.api()
                .post(
                        "/v1/variables",
                        Json.object()
                                .put("name", "shopKey")
                                .put("value", secret)
                                .put("projectId", mill.projectId()));
        var flow = LiveFlow.publish(
                mill,
                FlowScript.webhook()
                        .map("keyed", "{'key':'{{variables.shopKey}}'}")
                        .storePut("note", "k", "{{trigger.output.body.apiKey}}")
                        .returnJson("answer", "{'echo':'{{trigger.output.body.apiKey}}'}"));
        var given = "known-" + Ids.next();
        var run = flow.run(Json.object().put("apiKey", given));

        var made = mill.api()
                .post(
                        path(flow) + "/from-run",
                        Json.object().put("flowRunId", run.path("id").asText()));

        assertThat(made.status()).as("%s", made).isEqualTo(201);
        assertThat(made.body().toString()).doesNotContain(secret, given).contains("**REDACTED**");
        assertThat(made.body().at("/expectations/calls")).isEqualTo(json("[{'step':'note'}]"));
        assertThat(made.body().at("/expectations/answer/body/echo").asText()).isEqualTo("**REDACTED**");
        var result = run(flow, "published");
        assertThat(result.body().path("passed").asInt()).as("%s", result).isEqualTo(1);
    }

    @Test
    void doesNotFindARunOfAnotherProject_andRefusesOneOfAnotherFlow() {
        var flow = LiveFlow.draft(mill, router("2"));
        var neighbour = LiveFlow.publish(mill, router("2"));
        var elsewhere = LiveFlow.publish(ada.inTeam("Other " + Ids.next()), router("2"));
        var foreign = elsewhere.run(Json.object().put("x", 2)).path("id").asText();
        var other = neighbour.run(Json.object().put("x", 2)).path("id").asText();

        var ofForeign = mill.api().post(path(flow) + "/from-run", Json.object().put("flowRunId", foreign));
        var ofUnknown = mill.api().post(path(flow) + "/from-run", Json.object().put("flowRunId", Ids.next()));
        var ofOther = mill.api().post(path(flow) + "/from-run", Json.object().put("flowRunId", other));

        assertThat(ofForeign.status()).as("%s", ofForeign).isEqualTo(404);
        assertThat(ofUnknown.status()).isEqualTo(404);
        assertThat(ofOther.status()).isEqualTo(409);
        assertThat(mill.api().get(path(flow)).body().path("data")).isEmpty();
    }

    @Test
    void publishesOnlyWithPassingTests_whenTheProjectRequiresIt() {
        var flow = LiveFlow.draft(mill, router("3"));
        var test = create(flow, LARGE);
        var required = mill.api()
                .post("/v1/projects/" + mill.projectId(), Json.object().put("flowTestsRequired", true));

        var refused = flow.operate(publish());
        flow.change(router("2"));
        var accepted = flow.operate(publish());

        assertThat(required.body().path("flowTestsRequired").asBoolean()).isTrue();
        assertThat(refused.status()).as("%s", refused).isEqualTo(409);
        assertThat(refused.text("/code")).isEqualTo("FLOW_TESTS_FAILED");
        assertThat(refused.body().at("/params/tests"))
                .isEqualTo(json("[{'testId':'" + test.text("/id") + "','name':'Large','state':'failed'}]"));
        assertThat(accepted.status()).as("%s", accepted).isEqualTo(200);
        assertThat(accepted.text("/publishedVersionId")).isNotEmpty();
    }

    @Test
    void travelsWithTheTemplateOfTheFlow_andReplacesTheTestsOfTheFlowThatTakesIt() {
        var flow = LiveFlow.draft(mill, router("2"));
        var test = create(flow, LARGE).body();
        var template = mill.api().get("/v1/flows/" + flow.id() + "/template").body();
        var copy = LiveFlow.draft(mill, router("3"));
        create(copy, LARGE.replace("'Large','trigger'", "'Old','trigger'"));

        var exported = template.at("/flows/0");
        var imported = Json.object().put("type", "IMPORT_FLOW");
        imported.set("request", exported);
        var answer = copy.operate(imported);

        assertThat(exported.path("tests")).isEqualTo(Json.array().add(test));
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        assertThat(mill.api().get(path(copy)).body().path("data"))
                .isEqualTo(Json.array().add(test));
    }

    @Test
    void leavesTheTestsUnchanged_whenAnImportHasNoListOfThem() {
        var flow = LiveFlow.draft(mill, router("2"));
        var test = create(flow, LARGE).body();

        flow.change(router("3"));

        assertThat(mill.api().get(path(flow)).body().path("data"))
                .isEqualTo(Json.array().add(test));
    }

    @Test
    void refusesAnImportBeyondTheLimit_andLeavesTheFlowUnchanged() {
        var flow = LiveFlow.draft(mill, router("2"));
        var operation = router("3").importOperation("Mill");
        var tests = ((ObjectNode) operation.get("request")).putArray("tests");
        for (var id : new String[] {"a", "b", "c"}) {
            tests.add(((ObjectNode) json(LARGE)).put("id", id));
        }
        var before = mill.api().get("/v1/flows/" + flow.id()).body();

        var answer = flow.operate(operation);

        assertThat(answer.status()).as("%s", answer).isEqualTo(409);
        assertThat(mill.api().get("/v1/flows/" + flow.id()).body()).isEqualTo(before);
    }

    @Test
    void isRemovedWithItsFlow() {
        var flow = LiveFlow.draft(mill, router("2"));
        create(flow, LARGE);

        server.execute("delete from flow_version where flow_id = $1", flow.id());
        server.execute("delete from flow where id = $1", flow.id());

        assertThat(server.count("select count(*) from flow_test where flow_id = $1", flow.id()))
                .isZero();
    }
}
