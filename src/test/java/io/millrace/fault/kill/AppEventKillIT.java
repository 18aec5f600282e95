package io.millrace.fault.kill;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.outside.MicrosoftServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An app event that was answered 200 is not lost when the server is killed before its run has ended. */
@Slow(Slow.Reason.FAULT)
final class AppEventKillIT {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(60);
    private static final String PIECE = "@activepieces/piece-microsoft-teams-bot";
    private static final int EVENTS = 20;

    @Test
    void runsEveryAnsweredEvent_whenItsServerIsKilled() {
        try (var microsoft = MicrosoftServer.start();
                var directory = DataDirectory.prepared()) {
            PublishedFlow account;
            LiveFlow flow;
            // given a flow triggered by messages to its bot
            try (var server = start(directory, microsoft)) {
                var anonymous = server.api(START_DEADLINE);
                account = PublishedFlow.create(
                        anonymous, webhook().importOperation("Mill").path("request"));
                connect(account.api(), account.projectId());
                flow = publish(account.api(), account.projectId());

                // when the server is killed as soon as it has acknowledged the last of many
                var answers = IntStream.range(0, EVENTS)
                        .mapToObj(i -> anonymous.sendAsync(
                                "POST",
                                "/v1/app-events/microsoft-teams-bot",
                                Map.of(
                                        "Content-Type",
                                        "application/json",
                                        "Authorization",
                                        "Bearer " + microsoft.token(Instant.now())),
                                microsoft.message("m" + i, "hi")))
                        .toList();
                assertThat(answers)
                        .allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(200));
                server.kill();
                server.exitStatus(STOP_DEADLINE);
            }
            Waiting.until(
                    "PostgreSQL ends with its server",
                    () -> directory.postmaster().isEmpty());

            // then the next server has all of them
            try (var next = start(directory, microsoft)) {
                var again = account.at(next.api(START_DEADLINE));
                var path = "/v1/flow-runs?limit=100&projectId=" + again.projectId() + "&flowId=" + flow.id();
                Waiting.until(
                        "every event has its run",
                        () -> again.api()
                                        .get(path)
                                        .body()
                                        .path("data")
                                        .valueStream()
                                        .filter(run ->
                                                run.path("status").asText().equals("SUCCEEDED"))
                                        .count()
                                == EVENTS);
                assertThat(again.api().get(path).body().path("data")).hasSize(EVENTS);
            }
        }
    }

    private static ServerProcess start(DataDirectory directory, MicrosoftServer microsoft) {
        var settings = new HashMap<>(microsoft.settings());
        settings.put("AP_LOG_LEVEL", "warn");
        settings.put("AP_SSRF_ALLOW_LIST", "127.0.0.1");
        return ServerProcess.ofClasses(directory.path(), settings);
    }

    private static void connect(ApiClient api, String projectId) {
        var request = Json.object()
                .put("externalId", "bot")
                .put("displayName", "Bot")
                .put("pieceName", PIECE)
                .put("projectId", projectId)
                .put("type", "CUSTOM_AUTH");
        request.putObject("value")
                .put("type", "CUSTOM_AUTH")
                .putObject("props")
                .put("appId", MicrosoftServer.APP)
                .put("appSecret", MicrosoftServer.SECRET)
                .put("tenantId", MicrosoftServer.TENANT);
        assertThat(api.post("/v1/app-connections", request).status()).isEqualTo(201);
    }

    private static LiveFlow publish(ApiClient api, String projectId) {
        var message =
                json("{'auth':'{{connections.bot}}','teamId':'t 1','channelId':'19:c@thread','contentType':'text',"
                        + "'content':'{{trigger.output.id}}'}");
        FlowScript script = trigger(PIECE, "0.1.0", "new_message_to_bot", "{'auth':'{{connections.bot}}'}")
                .delay("step_1", 1)
                .piece("step_2", PIECE, "0.1.0", "microsoft_teams_send_channel_message_as_bot", message);
        return LiveFlow.publish(new SignedIn(api, "", "", projectId), script);
    }
}
