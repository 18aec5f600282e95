package io.millrace.integration.diagnosis;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Diagnoses of failed runs, with their evidence. */
class DiagnosisIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUpAndLocalCalls().startInRealTime(new FailingPiece());

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    private static JsonNode diagnosis(JsonNode run) {
        var answer = owner.api().get("/v1/flow-runs/" + run.path("id").asText() + "/diagnosis");
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body();
    }

    /** Succeeds or fails as the event requests. */
    private static FlowScript flow() {
        return FailingPiece.step(
                webhook().map("step_0", "{'order':'{{trigger.output.body.order}}'}"),
                Json.object().put("how", "{{trigger.output.body.how}}").put("count", 1));
    }

    @Test
    void namesTheFirstStepWhoseDataDiffer() {
        // Given
        var flow = LiveFlow.publish(owner, flow());
        flow.run(json("{'how':'ok','order':{'items':[{'price':1}],'customer':'Ada'}}"));

        // When
        var run = flow.run(json("{'how':'no','order':{'items':[],'customer':null}}"));
        var found = diagnosis(run);

        // Then
        assertThat(found.at("/difference/stepName").asText()).isEqualTo("trigger");
        assertThat(found.at("/difference/side").asText()).isEqualTo("output");
        assertThat(found.at("/difference/differences").findValuesAsText("path"))
                .containsExactly("body.order.items", "body.order.customer");
        assertThat(found.at("/difference/differences").findValuesAsText("kind"))
                .containsExactly("emptyList", "nullValue");
        assertThat(found.at("/difference/evidence")).hasSize(2);
        assertThat(found.at("/comparedWith/runId").asText())
                .isNotEqualTo(run.path("id").asText());
        assertEveryStatementHasEvidence(found);
    }

    @Test
    void namesNoDifference_whenDataHaveTheSameShape() {
        var flow = LiveFlow.publish(owner, flow());
        flow.run(json("{'how':'ok','order':1}"));

        var found = diagnosis(flow.run(json("{'how':'no','order':2}")));

        assertThat(found.has("difference")).isFalse();
        assertThat(found.path("changes")).isEmpty();
    }

    @Test
    void offersAReplay_whoseBodyTheServerAccepts() {
        var flow = LiveFlow.publish(owner, flow());

        var found = diagnosis(flow.run(json("{'how':'no','order':1}")));

        var offered = found.path("actions")
                .valueStream()
                .filter(action -> action.path("kind").asText().equals("REPLAY"))
                .findFirst()
                .orElseThrow();
        var body = ((ObjectNode) offered.path("body").deepCopy()).put("dryRun", true);
        var answer = owner.api().post(offered.path("path").asText().substring("/api".length()), body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body().at("/effects/0/answer").asText()).isEqualTo("performed");
    }

    @Test
    void offersATest_whoseBodyTheServerAccepts() {
        var flow = LiveFlow.publish(owner, flow());

        var found = diagnosis(flow.run(json("{'how':'no','order':1}")));

        var offered = found.path("actions")
                .valueStream()
                .filter(action -> action.path("kind").asText().equals("MAKE_TEST"))
                .findFirst()
                .orElseThrow();
        var made = owner.api().post(offered.path("path").asText().substring("/api".length()), offered.path("body"));
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
    }

    @Test
    void isTheSame_whenAskedAgain() {
        var flow = LiveFlow.publish(owner, flow());
        flow.run(json("{'how':'ok','order':1}"));
        var run = flow.run(json("{'how':'no','order':'x'}"));

        assertThat(diagnosis(run)).isEqualTo(diagnosis(run));
    }

    @Test
    void namesTheChangedVersion() {
        // Given
        var flow = LiveFlow.publish(owner, flow());
        var good = flow.run(json("{'how':'ok'}"));
        flow.change(flow().map("step_2", "{}"));
        flow.publish();

        // When
        var found = diagnosis(flow.run(json("{'how':'no'}")));

        // Then
        var change = found.at("/changes/0");
        assertThat(change.path("kind").asText()).isEqualTo("flowVersion");
        assertThat(change.path("before").asText())
                .isEqualTo(good.path("flowVersionId").asText());
        assertThat(owner.api()
                        .get(change.at("/evidence/0/api").asText().substring("/api".length()))
                        .status())
                .isEqualTo(200);
        assertEveryStatementHasEvidence(found);
    }

    @Test
    void namesTheChangedConnectionOfTheStep_andOffersToReconnect() {
        // Given
        connect("crm", "secret 1");
        connect("other", "secret 1");
        var flow = LiveFlow.publish(owner, connected());
        flow.run(json("{'how':'ok'}"));
        connect("crm", "secret 2");

        // When
        var found = diagnosis(flow.run(json("{'how':'status 401'}")));

        // Then
        assertThat(found.at("/cause/class").asText()).isEqualTo("credentials");
        assertThat(found.path("changes")).hasSize(1);
        var change = found.at("/changes/0");
        assertThat(change.path("kind").asText()).isEqualTo("connection");
        assertThat(change.path("name").asText()).isEqualTo("crm");
        assertThat(change.path("stepName").asText()).isEqualTo("step_1");
        assertThat(found.at("/actions/0/kind").asText()).isEqualTo("RECONNECT");
        assertThat(found.at("/actions/0/externalId").asText()).isEqualTo("crm");
        assertThat(found.toString()).doesNotContain("secret");
        assertThat(owner.api()
                        .get(change.at("/evidence/0/api").asText().substring("/api".length()))
                        .status())
                .isEqualTo(200);
        assertEveryStatementHasEvidence(found);
    }

    private static FlowScript connected() {
        return FailingPiece.step(
                webhook(),
                Json.object()
                        .put("how", "{{trigger.output.body.how}}")
                        .put("count", 1)
                        .put("auth", "{{connections['crm']}}"));
    }

    @Test
    void namesTheChangedVariable_whichTheVersionUses() {
        // Given
        variable("region", "eu");
        variable("unused", "x");
        var flow = LiveFlow.publish(
                owner,
                FailingPiece.step(
                        webhook().map("step_0", "{'a':'{{variables.region}}'}"),
                        Json.object().put("how", "{{trigger.output.body.how}}").put("count", 1)));
        flow.run(json("{'how':'ok'}"));
        variable("region", "us");
        variable("unused", "y");

        // When
        var found = diagnosis(flow.run(json("{'how':'no'}")));

        // Then
        assertThat(found.path("changes").findValuesAsText("name")).containsExactly("region");
        assertThat(found.at("/changes/0/kind").asText()).isEqualTo("variable");
        assertEveryStatementHasEvidence(found);
    }

    @Test
    void reportsThatARunHasNotFailed() {
        var flow = LiveFlow.publish(owner, webhook().map("step_1", "{}"));

        var found = diagnosis(flow.run(json("{}")));

        assertThat(found.path("failed").asBoolean()).isFalse();
        assertThat(found.has("cause")).isFalse();
        assertThat(found.path("actions")).isEmpty();
    }

    @Test
    void countsSimilarFailures() {
        var flow = LiveFlow.publish(owner, flow());
        flow.run(json("{'how':'Order 1 is closed'}"));
        flow.run(json("{'how':'Something else'}"));

        var found = diagnosis(flow.run(json("{'how':'Order 27 is closed'}")));

        assertThat(found.at("/similar/count").asInt()).isEqualTo(2);
        assertThat(found.at("/similar/days/0/count").asInt()).isEqualTo(2);
        assertThat(owner.api()
                        .get("/v1/issues/" + found.at("/similar/issueId").asText())
                        .text("/lastRunId"))
                .isEqualTo(found.path("runId").asText());
    }

    @Test
    void addressesTheFailedIterationOfALoop() {
        var flow = LiveFlow.publish(
                owner, webhook().loop("step_1", "{{trigger.output.body.xs}}", FailingPiece.inLoop(steps())));
        flow.run(json("{'xs':[{'how':'ok'},{'how':'ok'}]}"));

        var found = diagnosis(flow.run(json("{'xs':[{'how':'ok'},{'how':'ok'},{'how':'Closed'}]}")));

        assertThat(found.at("/cause/step/path").asText()).isEqualTo("step_1[2].step_2");
        assertThat(found.has("difference")).isFalse();
    }

    @Test
    void leavesOutClaims_whoseEvidenceTheReaderMayNotRead() {
        // Given
        connect("crm", "secret 3");
        var flow = LiveFlow.publish(owner, connected());
        flow.run(json("{'how':'ok'}"));
        connect("crm", "secret 4");
        var run = flow.run(json("{'how':'status 401'}"));
        var reader = server.signUp("rob@example.com", "Rob").inTeam("Readers");

        // Then
        assertThat(diagnosis(run).path("changes")).hasSize(1);
        assertThat(reader.api()
                        .get("/v1/flow-runs/" + run.path("id").asText() + "/diagnosis")
                        .status())
                .isEqualTo(403);
        assertThat(server.anonymous()
                        .get("/v1/flow-runs/" + run.path("id").asText() + "/diagnosis")
                        .status())
                .isIn(401, 403);
        assertThat(owner.api().get("/v1/flow-runs/" + Ids.next() + "/diagnosis").status())
                .isEqualTo(404);
    }

    @Test
    void staysWithoutData_whenTheLogIsTooLarge() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .code(
                                "step_0",
                                "export const code = async () => Array.from({length: 180}, (_, i) => 'x'.repeat(30000));")
                        .code(
                                "step_1",
                                "export const code = async (i) => { if (i.how == 'no') throw new Error('no'); };",
                                "{'how':'{{trigger.output.body.how}}'}"));
        flow.run(json("{'how':'ok'}"));

        // When
        var found = diagnosis(flow.run(json("{'how':'no'}")));

        // Then
        assertThat(found.path("failed").asBoolean()).isTrue();
        assertThat(found.at("/cause/class").asText()).isIn("authorData", "piece");
        assertEveryStatementHasEvidence(found);
    }

    private static void assertEveryStatementHasEvidence(JsonNode found) {
        for (var part : List.of("/cause", "/comparedWith", "/difference", "/similar")) {
            if (!found.at(part).isMissingNode()) {
                assertThat(found.at(part + "/evidence"))
                        .as("%s of %s", part, found)
                        .isNotEmpty();
            }
        }
        assertThat(found.path("changes"))
                .allSatisfy(change -> assertThat(change.path("evidence")).isNotEmpty());
    }

    private static void connect(String name, String secret) {
        var body = Json.object()
                .put("externalId", name)
                .put("displayName", name)
                .put("pieceName", "@activepieces/piece-http")
                .put("projectId", owner.projectId())
                .put("type", "SECRET_TEXT");
        body.putObject("value").put("type", "SECRET_TEXT").put("secret_text", secret);
        assertThat(owner.api().post("/v1/app-connections", body).status()).isEqualTo(201);
    }

    private static void variable(String name, String value) {
        var body = Json.object()
                .put("projectId", owner.projectId())
                .put("name", name)
                .put("value", value);
        assertThat(owner.api().post("/v1/variables", body).status()).isLessThan(300);
    }
}
