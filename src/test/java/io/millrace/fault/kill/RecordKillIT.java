package io.millrace.fault.kill;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Outside;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Records that are stored when the server is killed before their runs have begun: flows with the table's trigger or
 * with a webhook of the table run once.
 */
@Slow(Slow.Reason.FAULT)
final class RecordKillIT {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    /** The killed server may have claimed the event without acknowledging it. */
    private static final Duration CLAIM_AND_ROUND = Duration.ofSeconds(90);

    private static final String TABLES = "@activepieces/piece-tables";

    private static final Map<String, String> SETTINGS = Map.of(
            "AP_LOG_LEVEL", "warn",
            "AP_SSRF_ALLOW_LIST", "127.0.0.1",
            "AP_DEFAULT_CONCURRENT_JOBS_LIMIT", "1");

    @Test
    void startsTheFlowsOfARecordOnce_whenTheServerEndsBeforeTheyBegin() {
        try (var directory = DataDirectory.prepared();
                var outside = Outside.start()) {
            PublishedFlow listening;
            PublishedFlow told;
            String recordId;
            // given a run that uses the only slot of its project, and a record whose run waits for a slot
            try (var server = start(directory)) {
                var api = server.api(DEADLINE);
                var busy = publish(api, webhook().http("step_1", "POST", outside.url("/held/busy")));
                var tableId = makeTable(busy);
                listening = publish(
                        api,
                        FlowScript.trigger(TABLES, "0.3.0", "newRecord", "{'table_id':'grain'}")
                                .map("step_1", "{'done':true}"));
                told = publish(api, webhook().map("step_1", "{'done':true}"));
                listen(told, tableId);
                api.post("/v1/webhooks/" + busy.flowId(), json("{}"));
                outside.awaitCalls(1);
                recordId = addRecord(busy, tableId);
                assertThat(listening.runs())
                        .singleElement()
                        .satisfies(
                                run -> assertThat(run.path("status").asText()).isEqualTo("QUEUED"));

                // when the server is killed
                server.kill();
                server.exitStatus(DEADLINE);
            }
            Waiting.until(
                    "PostgreSQL ends with its server",
                    () -> directory.postmaster().isEmpty());

            // then the next server runs both flows, once each
            try (var next = start(directory)) {
                var api = next.api(DEADLINE);
                outside.awaitCalls(2);
                outside.release();
                assertThat(onlyRun(listening.at(api))
                                .at("/steps/trigger/output/id")
                                .asText())
                        .isEqualTo(recordId);
                assertThat(onlyRun(told.at(api))
                                .at("/steps/trigger/output/body/record/id")
                                .asText())
                        .isEqualTo(recordId);
            }
        }
    }

    private static ServerProcess start(DataDirectory directory) {
        return ServerProcess.ofClasses(directory.path(), SETTINGS);
    }

    private static PublishedFlow publish(ApiClient api, FlowScript script) {
        return PublishedFlow.create(api, script.importOperation("Mill").path("request"));
    }

    private static String makeTable(PublishedFlow flow) {
        var table = Json.object()
                .put("projectId", flow.projectId())
                .put("name", "Grain")
                .put("externalId", "grain");
        table.putArray("fields")
                .addObject()
                .put("name", "Name")
                .put("type", "TEXT")
                .put("externalId", "name");
        return flow.api().post("/v1/tables", table).text("/id");
    }

    private static void listen(PublishedFlow flow, String tableId) {
        var webhook = Json.object()
                .put("flowId", flow.flowId())
                .put("webhookUrl", "http://localhost/api/v1/webhooks/" + flow.flowId());
        webhook.putArray("events").add("RECORD_CREATED");
        var answer = flow.api().post("/v1/tables/" + tableId + "/webhooks", webhook);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private static String addRecord(PublishedFlow flow, String tableId) {
        var request = Json.object().put("tableId", tableId);
        request.putArray("records").addArray();
        var answer = flow.api().post("/v1/records", request);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.text("/0/id");
    }

    /** The only run of a flow, with its steps. */
    private static JsonNode onlyRun(PublishedFlow flow) {
        Waiting.until(
                "the flow has run",
                CLAIM_AND_ROUND,
                () -> flow.runs().stream()
                        .anyMatch(run -> run.path("status").asText().equals("SUCCEEDED")));
        assertThat(flow.runs()).hasSize(1);
        return flow.api()
                .get("/v1/flow-runs/" + flow.runs().getFirst().path("id").asText())
                .body();
    }
}
