package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.cron;
import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.Outside;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Dry runs of webhook calls: requests with {@code dryRun=true} and a bearer token. */
class WebhookDryRunIT {
    private static final String DRY_RUN = "?dryRun=true";

    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.openSignUpAndLocalCalls().start();

    private TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada").inTeam("Mill");

    private FlowScript chain(String place) {
        return webhook()
                .map("event", "{'event':'{{trigger.output}}'}")
                .http("first", "POST", outside.url("/" + place + "/{{trigger.output.body.x}}"));
    }

    private static Answer send(ApiClient by, String path, JsonNode body) {
        return by.post("/v1/webhooks/" + path, body);
    }

    private ApiClient key(String scope) {
        var request = Json.object().put("displayName", scope);
        request.putArray("scopes").add(scope);
        return server.anonymous().with(owner.api().post("/v1/api-keys", request).text("/value"));
    }

    private ApiClient member(String email, String permission) {
        var user = server.signUp(email, "Mel", PlatformRole.MEMBER);
        var role = Json.object().put("name", "Only " + permission).put("type", "CUSTOM");
        role.putArray("permissions").add(permission);
        assertThat(owner.api().post("/v1/project-roles", role).status()).isEqualTo(201);
        server.join(user, owner.projectId(), "Only " + permission);
        return user.api();
    }

    private void assertNothingHappened(LiveFlow flow) {
        assertThat(outside.paths()).isEmpty();
        assertThat(flow.runs()).isEmpty();
        assertThat(server.count("select count(*) from run")).isZero();
        assertThat(server.count("select count(*) from file")).isZero();
    }

    @Test
    void listsTheCallsOfThePublishedVersion_withOrWithoutAWait() {
        var flow = LiveFlow.publish(owner, chain("published"));
        flow.change(chain("draft"));

        for (var variant : new String[] {"", "/sync"}) {
            var list = send(owner.api(), flow.id() + variant + DRY_RUN + "&a=b", json("{'x':7}"));

            assertThat(list.status()).as(list.body().toString()).isEqualTo(200);
            assertThat(list.body().path("dryRun").asBoolean()).isTrue();
            assertThat(list.body().path("effects")).hasSize(1);
            assertThat(list.text("/effects/0/input/url")).endsWith("/published/7");
            assertThat(list.text("/effects/0/answer")).isEqualTo("missing");
        }
        assertNothingHappened(flow);
    }

    @Test
    void listsTheCallsOfTheDraft_ofADisabledFlowToo() {
        var flow = LiveFlow.draft(owner, chain("draft"));

        for (var variant : new String[] {"/draft", "/draft/sync"}) {
            var list = send(owner.api(), flow.id() + variant + DRY_RUN, json("{'x':8}"));

            assertThat(list.text("/effects/0/input/url")).endsWith("/draft/8");
        }
        assertThat(send(owner.api(), flow.id() + DRY_RUN, json("{}")).status()).isEqualTo(409);
        assertNothingHappened(flow);
    }

    @Test
    void passesTheEvent_withoutTheParameterAndTheToken() {
        var flow = LiveFlow.publish(owner, webhook().http("first", "POST", outside.url("/?e={{trigger.output}}")));

        var list = send(owner.api(), flow.id() + DRY_RUN + "&a=b", json("{'x':7}"));

        assertThat(list.text("/effects/0/input/url"))
                .contains("\"a\":\"b\"", "\"x\":7", "\"method\":\"POST\"")
                .doesNotContain(owner.api().token(), "dryRun", "authorization");
    }

    @Test
    void requiresThePermissionOfAStart() {
        var flow = LiveFlow.publish(owner, chain("published"));
        var path = flow.id() + DRY_RUN;
        var event = json("{'x':7}");
        var stranger = server.signUp("sam@example.com", "Sam", PlatformRole.MEMBER);

        assertThat(send(member("wanda@example.com", "WRITE_RUN"), path, event).status())
                .isEqualTo(200);
        assertThat(send(key("WRITE_RUN"), path, event).status()).isEqualTo(200);
        assertThat(send(member("rita@example.com", "READ_RUN"), path, event).text("/code"))
                .isEqualTo("PERMISSION_DENIED");
        assertThat(send(key("READ_RUN"), path, event).status()).isEqualTo(403);
        assertThat(send(stranger.api(), path, event).status()).isEqualTo(403);
        assertThat(send(server.foreigner().api(), path, event).status()).isEqualTo(403);
        for (var token : new String[] {"nonsense", "sk-nonsense", "a.b.c"}) {
            assertThat(send(server.anonymous().with(token), path, event).status())
                    .as(token)
                    .isEqualTo(401);
        }
        assertThat(send(server.anonymous().with(""), path, event).status()).isEqualTo(403);
        assertThat(send(owner.api(), Ids.next() + DRY_RUN, event).status()).isEqualTo(404);
        assertNothingHappened(flow);
    }

    @Test
    void refusesALargeBodyOfAnUnknownCaller_forItsToken() {
        var flow = LiveFlow.publish(owner, chain("published"));
        var event = Json.object().put("x", "y".repeat(3 << 20));

        assertThat(send(server.anonymous().with("nonsense"), flow.id() + DRY_RUN, event)
                        .status())
                .isEqualTo(401);
        assertThat(send(owner.api(), flow.id() + DRY_RUN, event).status()).isEqualTo(200);
        assertNothingHappened(flow);
    }

    @Test
    void refusesWhatItCannotEvaluate() {
        var flow = LiveFlow.publish(owner, chain("published"));
        var timed = LiveFlow.publish(owner, cron("0 0 1 1 *", "UTC").http("first", "GET", outside.url("/")));

        assertThat(send(owner.api(), timed.id() + DRY_RUN, json("{}")).text("/params/message"))
                .contains("Catch Webhook");
        var file = owner.api()
                .postForm("/v1/webhooks/" + flow.id() + DRY_RUN, Map.of("x", "7"), "f", new byte[] {0, 1, 2});
        assertThat(file.text("/params/message")).contains("without files");
        for (var value : new String[] {"maybe", "TRUE", "", "true&dryRun=true"}) {
            assertThat(send(owner.api(), flow.id() + "?dryRun=" + value, json("{}"))
                            .status())
                    .as(value)
                    .isEqualTo(400);
        }
        assertNothingHappened(flow);
    }

    @Test
    void takesTheParameterAsData_withoutABearerToken() {
        var flow = LiveFlow.publish(
                owner, webhook().returnJson("answer", "{'d':'{{trigger.output.queryParams.dryRun}}'}"));
        var basic = "Basic " + Base64.getEncoder().encodeToString("a:b".getBytes(StandardCharsets.UTF_8));

        assertThat(send(server.anonymous(), flow.id() + "/sync" + DRY_RUN, json("{}"))
                        .text("/d"))
                .isEqualTo("true");
        assertThat(server.anonymous()
                        .send(
                                "POST",
                                "/v1/webhooks/" + flow.id() + "/sync" + DRY_RUN,
                                Map.of("Authorization", basic),
                                "")
                        .text("/d"))
                .isEqualTo("true");
        assertThat(send(owner.api(), flow.id() + "/sync?dryRun=false", json("{}"))
                        .text("/d"))
                .isEqualTo("false");
        flow.ended(3);
    }
}
