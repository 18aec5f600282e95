package io.millrace.authoring.flow;

import static io.millrace.authoring.flow.FlowClient.expect;
import static io.millrace.authoring.flow.editor.FlowSamples.code;
import static io.millrace.authoring.flow.editor.FlowSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Publishing and enabling flows over HTTP (contract flows-and-engine 4.15, 4.16). */
class FlowPublishIT {
    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private static FlowClient answering(String text) {
        return FlowClient.answering(ada.api(), ada.projectId(), text);
    }

    private static FlowClient triggered() {
        var flow = FlowClient.create(ada.api(), ada.projectId(), "flow");
        flow.change("UPDATE_TRIGGER", FlowClient.WEBHOOK);
        return flow;
    }

    @Test
    void publishesAndEnables() {
        // given
        var flow = answering("one");
        var before = flow.call();

        // when
        var published = flow.publish();

        // then
        assertThat(before.status()).isEqualTo(404);
        assertThat(published.status()).isEqualTo(200);
        assertThat(published.text("/status")).isEqualTo("ENABLED");
        assertThat(published.text("/publishedVersionId")).isEqualTo(published.text("/version/id"));
        assertThat(published.text("/version/state")).isEqualTo("LOCKED");
        assertThat(published.body().at("/version/valid").asBoolean()).isTrue();
        assertThat(flow.call().text("/says")).isEqualTo("one");
    }

    @Test
    void publishesWithWarnings_andListsThem() {
        // given
        var flow = triggered();
        flow.change(
                "ADD_ACTION",
                "{'parentStep':'trigger','action':"
                        + step(
                                "step_1",
                                "CODE",
                                "{'sourceCode':{'code':'export const code = async () => Buffer.from(`a`).length;',"
                                        + "'packageJson':'{}'},'input':{'v':'{{step_9.output}}'}}")
                        + "}");

        // when
        var listed = ada.api().get(flow.path() + "/warnings");
        var published = flow.publish();

        // then
        assertThat(published.text("/status")).isEqualTo("ENABLED");
        assertThat(published.body().path("warnings"))
                .isEqualTo(expect(200, listed).body().path("data"));
        assertThat(listed.body().path("data").findValuesAsText("message"))
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text).startsWith("no step responds to the caller"),
                        text -> assertThat(text).startsWith("input/v: the step step_9 does not exist"),
                        text -> assertThat(text).startsWith("the code uses Buffer and therefore runs in Node.js"));
    }

    @Test
    void warnsOfAConnectionThatTheProjectDoesNotHave_untilItExists() {
        // given
        var flow = triggered();
        flow.change(
                "ADD_ACTION",
                "{'parentStep':'trigger','action':"
                        + step(
                                "step_1",
                                "CODE",
                                "{'sourceCode':{'code':'export const code = async (inputs) => inputs.key.length;',"
                                        + "'packageJson':'{}'},'input':{'key':'{{connections[`shop`].secret_text}}'}}")
                        + "}");
        var path = flow.path() + "/warnings";

        // when
        var without = expect(200, ada.api().get(path)).body().path("data").findValuesAsText("message");
        var connection = Json.object()
                .put("externalId", "shop")
                .put("displayName", "Shop")
                .put("pieceName", "@activepieces/piece-http")
                .put("projectId", ada.projectId())
                .put("type", "SECRET_TEXT");
        connection.putObject("value").put("type", "SECRET_TEXT").put("secret_text", "k3y9");
        expect(201, ada.api().post("/v1/app-connections", connection));
        var with = expect(200, ada.api().get(path)).body().path("data").findValuesAsText("message");

        // then
        assertThat(without)
                .anySatisfy(text ->
                        assertThat(text).startsWith("input/key: the project has no connection shop, so the step"));
        assertThat(with).noneSatisfy(text -> assertThat(text).contains("shop"));
    }

    @Test
    void mentionsNoWarnings_whereThereAreNone() {
        var flow = answering("one");

        assertThat(expect(200, ada.api().get(flow.path() + "/warnings")).body().path("data"))
                .isEmpty();
        assertThat(flow.publish().body().has("warnings")).isFalse();
    }

    @Test
    void changesWhatTheWebhookRuns_asSoonAsTheNextVersionIsPublished() {
        // given
        var flow = answering("one");
        expect(200, flow.publish());
        assertThat(flow.call().text("/says")).isEqualTo("one");

        // when
        flow.change("UPDATE_ACTION", FlowClient.answerStep("two"));
        var whileDraft = flow.call().text("/says");
        expect(200, flow.publish());

        // then
        assertThat(whileDraft).isEqualTo("one");
        assertThat(flow.call().text("/says")).isEqualTo("two");
    }

    @Test
    void runsAnEarlierVersionAgain_onceItIsPublishedAgain() {
        // given
        var flow = answering("one");
        var first = expect(200, flow.publish()).text("/version/id");
        flow.change("UPDATE_ACTION", FlowClient.answerStep("two"));
        expect(200, flow.publish());

        // when
        flow.change("USE_AS_DRAFT", "{'versionId':'" + first + "'}");
        expect(200, flow.publish());

        // then
        assertThat(flow.call().text("/says")).isEqualTo("one");
    }

    @Test
    void staysDisabled_whenThatIsTheWish_andFollowsTheStatus() {
        // given
        var flow = answering("one");

        // when
        var published = flow.apply("LOCK_AND_PUBLISH", "{'status':'DISABLED'}");
        var whileDisabled = flow.call().status();
        var enabled = flow.apply("CHANGE_STATUS", "{'status':'ENABLED'}");
        var again = flow.apply("CHANGE_STATUS", "{'status':'ENABLED'}");
        var whileEnabled = flow.call().status();
        var disabled = flow.apply("CHANGE_STATUS", "{'status':'DISABLED'}");

        // then
        assertThat(published.text("/status")).isEqualTo("DISABLED");
        assertThat(published.text("/version/state")).isEqualTo("LOCKED");
        assertThat(whileDisabled).isEqualTo(404);
        assertThat(enabled.text("/status")).isEqualTo("ENABLED");
        assertThat(again.body()).isEqualTo(enabled.body());
        assertThat(whileEnabled).isEqualTo(200);
        assertThat(disabled.text("/status")).isEqualTo("DISABLED");
        assertThat(flow.call().status()).isEqualTo(404);
    }

    /** They evaluate to an empty text (contract flows-and-engine 7.5). */
    @ParameterizedTest
    @ValueSource(strings = {"{{step_1 +}}", "{{step_9['output']}}", "{{step_1['output']}}"})
    void publishesWhatResolvesToNothing(String expression) {
        // given
        var flow = triggered();
        var input = "'input':{'list':['" + expression.replace("'", "\\u0027") + "']}";
        flow.change(
                "ADD_ACTION",
                "{'parentStep':'trigger','action':" + code("step_1").replace("'input':{}", input) + "}");

        // when
        var published = flow.publish();

        // then
        assertThat(published.status()).as(published.toString()).isEqualTo(200);
        assertThat(published.text("/status")).isEqualTo("ENABLED");
    }

    @Test
    void refusesAnInvalidStep_andAFlowWithoutTrigger() {
        // given
        var flow = triggered();
        flow.change(
                "ADD_ACTION",
                "{'parentStep':'trigger','action':" + step("step_1", "LOOP_ON_ITEMS", "{'items':''}") + "}");

        // then
        refused(
                flow,
                "step step_1, field settings: the step is not valid: items: expected the list to walk, found an empty text");
        refused(FlowClient.create(ada.api(), ada.projectId(), "empty"), "step trigger");
    }

    @Test
    void refusesCodeWhosePackagesAreNotOfTheRegistry() {
        // given
        var flow = triggered();
        var manifest = "'packageJson':'{\\u0022dependencies\\u0022:{\\u0022axios\\u0022:\\u0022file:../axios\\u0022}}'";
        flow.change(
                "ADD_ACTION",
                "{'parentStep':'trigger','action':" + code("step_1").replace("'packageJson':'{}'", manifest) + "}");

        // then
        refused(
                flow,
                "step step_1, field settings/sourceCode/packageJson: expected a version or a range of the registry");
    }

    private static void refused(FlowClient flow, String text) {
        var before = flow.get().body();
        var refused = flow.publish();
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.text("/code")).isEqualTo("FLOW_OPERATION_INVALID");
        assertThat(refused.text("/params/message")).contains(text);
        assertThat(flow.get().body()).isEqualTo(before);
    }

    @Test
    void publishesButDoesNotEnable_whenTheTriggerCannotBeStarted() {
        // given
        var flow = FlowClient.create(ada.api(), ada.projectId(), "hourly");
        flow.change(
                "UPDATE_TRIGGER",
                FlowClient.SCHEDULE
                        .replace("every_hour", "cron_expression")
                        .replace(
                                "'input':{'run_on_weekends':true}",
                                "'input':{'cronExpression':'61 * * * *','timezone':'UTC'}"));

        // when
        var published = flow.publish();
        var after = flow.get();
        var enabled = flow.apply("CHANGE_STATUS", "{'status':'ENABLED'}");

        // then
        assertThat(published.status()).isEqualTo(400);
        assertThat(published.text("/code")).isEqualTo("TRIGGER_UPDATE_STATUS");
        assertThat(published.text("/params/flowId")).isEqualTo(flow.flowId());
        assertThat(published.text("/params/flowVersionId")).isEqualTo(after.text("/publishedVersionId"));
        assertThat(published.text("/params/standardError")).startsWith("InvalidCronExpressionError: ");
        assertThat(after.text("/status")).isEqualTo("DISABLED");
        assertThat(after.text("/version/state")).isEqualTo("LOCKED");
        assertThat(enabled.text("/code")).isEqualTo("TRIGGER_UPDATE_STATUS");
        assertThat(flow.get().body()).isEqualTo(after.body());
    }

    @Test
    void endsWithOnePublishedVersion_whenManyPublishAndEditAtOnce() {
        // given
        var flow = answering("one");
        var calls = new ArrayList<CompletableFuture<Answer>>();

        // when
        for (var number = 0; number < 10; number++) {
            calls.add(flow.applyAsync("LOCK_AND_PUBLISH", "{}"));
            calls.add(flow.applyAsync("CHANGE_NAME", "{'displayName':'name " + number + "'}"));
        }
        calls.forEach(call -> expect(200, call.join()));
        var published = expect(200, flow.publish());

        // then
        assertThat(published.text("/publishedVersionId")).isEqualTo(published.text("/version/id"));
        var versions = ada.api().get(flow.path() + "/versions?limit=100").body().path("data");
        assertThat(versions)
                .allSatisfy(
                        version -> assertThat(version.path("state").asText()).isEqualTo("LOCKED"));
        assertThat(versions.get(0).path("id")).isEqualTo(published.body().at("/version/id"));
        assertThat(flow.call().text("/says")).isEqualTo("one");
    }
}
