package io.millrace.engine.trigger;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.MicrosoftServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Event endpoints of apps: authentication, routing to flows, and rejected requests (contract flows-and-engine 25, agents 8). */
final class AppEventIT {
    private static final FeedPiece FEED = new FeedPiece();
    private static final String SLACK = "/v1/app-events/slack";
    private static final String TEAMS = "/v1/app-events/microsoft-teams-bot";
    private static final String FEEDS = "/v1/app-events/feed";

    private static MicrosoftServer microsoft;
    private static TestServer server;
    private static TestServer.SignedIn ada;

    @BeforeAll
    static void start() {
        microsoft = MicrosoftServer.start();
        var settings = new HashMap<>(Map.of(
                "AP_ALLOW_OPEN_SIGN_UP",
                "true",
                "AP_FRONTEND_URL",
                "https://mill.example",
                "AP_SSRF_ALLOW_LIST",
                "127.0.0.1",
                "AP_APP_WEBHOOK_SECRETS",
                "{\"feed\":{\"webhookSecret\":\"s3cret\"},\"slack\":{\"webhookSecret\":\"s3cret\"}}"));
        settings.putAll(microsoft.settings());
        server = TestServer.start(settings, List.of(FEED));
        ada = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        server.close();
        microsoft.close();
    }

    private static FlowScript feed(String team) {
        return trigger(FeedPiece.NAME, FeedPiece.VERSION, "on_event", "{'team':'" + team + "'}")
                .map("step_1", "{'seen':'{{trigger.output}}'}");
    }

    private static Answer send(String path, String body, String... headers) {
        var all = new HashMap<>(Map.of("Content-Type", "application/json"));
        for (var i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        return server.anonymous().send("POST", path, all, body.replace('\'', '"'));
    }

    private static Answer feedEvent(String body) {
        return send(FEEDS, body, "x-secret", "s3cret");
    }

    private static String slackSignature(String timestamp, String body) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec("s3cret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            var digest = mac.doFinal(("v0:" + timestamp + ":" + body).getBytes(StandardCharsets.UTF_8));
            return "v0=" + HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void reportsAnUnknownPiece() {
        for (var name : List.of("nobody", "webhook")) {
            var refused = send("/v1/app-events/" + name, "{}");

            assertThat(refused.status()).isEqualTo(404);
            assertThat(refused.text("/code")).isEqualTo("ENTITY_NOT_FOUND");
            assertThat(refused.text("/params/entityType")).isEqualTo("piece");
            assertThat(refused.text("/params/entityId")).isEqualTo(name);
        }
        assertThat(send("/v1/teams-bot/webhook", "{}").status()).isEqualTo(404);
        assertThat(send("/v1/teams-bot/send", "{}").status()).isEqualTo(404);
    }

    @Test
    void answersTheChecksOfAddresses_withoutThePieces() {
        var slack = send(SLACK, "{'type':'url_verification','challenge':'<b>abc</b>'}");
        var facebook = server.anonymous()
                .send(
                        "GET",
                        "/v1/app-events/facebook-leads?hub.verify_token=activepieces&hub.challenge=42",
                        Map.of(),
                        "");

        assertThat(slack.status()).isEqualTo(200);
        assertThat(slack.headers().firstValue("content-type").orElse("")).startsWith("text/plain");
        assertThat(facebook.status()).isEqualTo(200);
        assertThat(facebook.headers().firstValue("content-type").orElse("")).startsWith("text/plain");
    }

    @Test
    void refusesWhatCannotBeRead() {
        assertThat(feedEvent("{'unreadable':true}").status()).isEqualTo(400);
        assertThat(feedEvent("{'event':'posted'}").status()).isEqualTo(400);
        assertThat(feedEvent("{'event':'posted','team':'a\\u0000b'}").status()).isEqualTo(400);
        assertThat(feedEvent("{'event':'posted','team':'" + "x".repeat(501) + "'}")
                        .status())
                .isEqualTo(400);
        assertThat(feedEvent("{'event':'posted','team':'" + "x".repeat(500) + "'}")
                        .status())
                .isEqualTo(200);
        assertThat(send(SLACK, "{no").status()).isEqualTo(400);
        assertThat(feedEvent("'" + "x".repeat(26 * 1024 * 1024) + "'").status()).isEqualTo(413);
    }

    @Test
    void startsOneRunOfEachFlow_forRepeatedDeliveriesOfOneEvent() {
        // given
        var first = LiveFlow.publish(ada, feed("twice"));
        var second = LiveFlow.publish(ada, feed("twice"));

        // when
        for (var i = 0; i < 3; i++) {
            assertThat(feedEvent("{'event':'posted','team':'twice','delivery':'d1'}")
                            .status())
                    .isEqualTo(200);
        }
        feedEvent("{'event':'posted','team':'twice','delivery':'d2'}");
        feedEvent("{'event':'posted','team':'twice'}");
        feedEvent("{'event':'posted','team':'twice'}");

        // then
        for (var flow : List.of(first, second)) {
            flow.ended(4);
            assertThat(flow.runs()).hasSize(4);
        }
    }

    @Test
    void getsNoEvents_afterItIsDisabledOrDeleted() {
        // given
        var disabled = LiveFlow.publish(ada, feed("leaving"));
        var deleted = LiveFlow.publish(ada, feed("leaving"));
        var staying = LiveFlow.publish(ada, feed("leaving"));
        var rows = "select count(*) from trigger_listener where identifier = 'leaving'";
        assertThat(server.count(rows)).isEqualTo(6);

        // when
        disabled.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
        ada.api().delete("/v1/flows/" + deleted.id());
        Waiting.until("listeners are gone", () -> server.count(rows) == 2);
        feedEvent("{'event':'posted','team':'leaving'}");

        // then
        staying.ended(1);
        assertThat(disabled.runs()).isEmpty();
        assertThat(staying.runs()).hasSize(1);
    }

    @Test
    void keepsWhatOnlyAnEditorWaitsForAsASample() {
        // given a published flow whose draft listens to another team
        var flow = LiveFlow.publish(ada, feed("published"));
        flow.change(feed("drafted"));
        var version = ada.api().get("/v1/flows/" + flow.id()).text("/version/id");
        var request = Json.object()
                .put("projectId", ada.projectId())
                .put("flowId", flow.id())
                .put("flowVersionId", version)
                .put("testStrategy", "SIMULATION");
        assertThat(ada.api().post("/v1/test-trigger", request).status()).isEqualTo(200);

        // when
        assertThat(feedEvent("{'event':'posted','team':'drafted','text':'sample'}")
                        .status())
                .isEqualTo(200);

        // then
        var samples = ada.api().get("/v1/trigger-events?projectId=" + ada.projectId() + "&flowId=" + flow.id());
        assertThat(samples.text("/data/0/payload/text")).isEqualTo("sample");
        assertThat(flow.runs()).isEmpty();
    }

    @Test
    void letsARunGoOn_whenItsButtonIsPressedInSlack() {
        // given
        var flow = LiveFlow.publish(
                ada,
                webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-approval",
                                "0.1.13",
                                "create_approval_links",
                                Json.object())
                        .piece("step_2", "@activepieces/piece-approval", "0.1.13", "wait_for_approval", Json.object()));
        flow.call(Json.object());
        var paused = paused(flow);
        var link = paused.at("/steps/step_1/output/approvalLink").asText();
        var button = Json.object().put("type", "block_actions");
        button.putArray("actions").addObject().put("type", "button").put("value", link);
        var body = "payload=" + URLEncoder.encode(Json.text(button), StandardCharsets.UTF_8);
        var now = String.valueOf(server.clock().instant().getEpochSecond());

        // when a forged request arrives, then a signed one
        var forged = form(body, now, "v0=00");
        assertThat(paused(flow).path("status").asText()).isEqualTo("PAUSED");
        var pressed = form(body, now, slackSignature(now, body));

        // then
        assertThat(forged.status()).isEqualTo(200);
        assertThat(pressed.status()).isEqualTo(200);
        var run = flow.ended(1);
        assertThat(run.at("/steps/step_2/output/approved").asBoolean()).isTrue();
        assertThat(form(body, now, slackSignature(now, body)).status()).isEqualTo(200);
    }

    private static Answer form(String body, String timestamp, String signature) {
        return server.anonymous()
                .send(
                        "POST",
                        SLACK,
                        Map.of(
                                "Content-Type", "application/x-www-form-urlencoded",
                                "X-Slack-Request-Timestamp", timestamp,
                                "X-Slack-Signature", signature),
                        body);
    }

    private static JsonNode paused(LiveFlow flow) {
        Waiting.until(
                "the run is paused",
                () -> !flow.runs().isEmpty()
                        && flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        return flow.newest();
    }

    private static Answer connect(String secret) {
        var request = Json.object()
                .put("externalId", "bot")
                .put("displayName", "Bot")
                .put("pieceName", "@activepieces/piece-microsoft-teams-bot")
                .put("projectId", ada.projectId())
                .put("type", "CUSTOM_AUTH");
        request.putObject("value")
                .put("type", "CUSTOM_AUTH")
                .putObject("props")
                .put("appId", MicrosoftServer.APP)
                .put("appSecret", secret)
                .put("tenantId", MicrosoftServer.TENANT);
        return ada.api().post("/v1/app-connections", request);
    }

    @Test
    void answersAMessageToTheBot_throughTheBot() {
        // given
        assertThat(connect("wrong").status()).isEqualTo(400);
        assertThat(connect(MicrosoftServer.SECRET).status()).isEqualTo(201);
        var piece = "@activepieces/piece-microsoft-teams-bot";
        var reply = json("{'auth':'{{connections.bot}}','teamId':'t 1','channelId':'19:c@thread','contentType':'text',"
                + "'content':'you said {{trigger.output.text}}'}");
        var flow = LiveFlow.publish(
                ada,
                trigger(piece, "0.1.0", "new_message_to_bot", "{'auth':'{{connections.bot}}'}")
                        .piece("step_1", piece, "0.1.0", "microsoft_teams_send_channel_message_as_bot", reply));
        var now = server.clock().instant();
        var token = "Bearer " + microsoft.token(now);
        var message = microsoft.message("1", "hi");

        // when
        var unsigned = send(TEAMS, message);
        var forged = send(TEAMS, message, "Authorization", token.substring(0, token.length() - 8) + "AAAAAAAA");
        var typing = send(TEAMS, "{'type':'typing'}", "Authorization", token);
        var taken = send(TEAMS, message, "Authorization", token);
        var again = send(TEAMS, message, "Authorization", token);
        var run = flow.ended(1);

        // then
        assertThat(List.of(unsigned.status(), forged.status(), typing.status(), taken.status(), again.status()))
                .containsOnly(200);
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/messageId").asText()).isEqualTo("17");
        assertThat(microsoft.calls.getLast()).contains("you said hi");
        assertThat(flow.runs()).hasSize(1);
    }

    @Test
    void offersTheTeamsOfAConnection() {
        connect(MicrosoftServer.SECRET);
        var flow = LiveFlow.draft(ada, webhook());
        var request = Json.object()
                .put("flowId", flow.id())
                .put("flowVersionId", ada.api().get("/v1/flows/" + flow.id()).text("/version/id"))
                .put("projectId", ada.projectId())
                .put("pieceName", "@activepieces/piece-microsoft-teams-bot")
                .put("pieceVersion", "0.1.0")
                .put("actionOrTriggerName", "microsoft_teams_send_channel_message_as_bot")
                .put("propertyName", "teamId");
        request.putObject("input").put("auth", "{{connections['bot']}}");

        var offered = ada.api().post("/v1/pieces/options", request);

        assertThat(offered.body().path("options").path("options").findValuesAsText("label"))
                .containsExactly("Mill", "Sales");
    }
}
