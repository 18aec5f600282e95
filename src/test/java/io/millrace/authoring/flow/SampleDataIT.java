package io.millrace.authoring.flow;

import static io.millrace.authoring.flow.FlowClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sample data recorded by step tests (contract flows-and-engine 4.17, 21; admin-api 17). */
class SampleDataIT {
    @AutoClose
    private static TestServer server =
            ServerSettings.openSignUp().with("AP_MAX_FILE_SIZE_MB", "1").start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private FlowClient flow;

    @BeforeEach
    void makeFlow() {
        flow = FlowClient.answering(ada.api(), ada.projectId(), "one");
    }

    private Answer sample(FlowClient of, String versionId, String stepName, String type) {
        return ada.api()
                .get("/v1/sample-data?projectId=" + ada.projectId() + "&flowId=" + of.flowId() + "&flowVersionId="
                        + versionId + "&stepName=" + stepName + "&type=" + type);
    }

    private Answer sample(String stepName, String type) {
        return sample(flow, flow.version().path("id").asText(), stepName, type);
    }

    private JsonNode save(String stepName, String type, String payload) {
        return flow.change(
                "SAVE_SAMPLE_DATA",
                "{'stepName':'" + stepName + "','type':'" + type + "'" + (payload.isEmpty() ? "" : ",'payload':")
                        + payload + "}");
    }

    private static String recorded(JsonNode flow, String step, String field) {
        return flow.at("/version/trigger" + step + "/settings/sampleData/" + field)
                .asText();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'b':[1,{'c':'é'}],'a':null} | application/json",
                "[] | application/json",
                "12.50 | application/json",
                "false | application/json",
                "'a <b>text</b>' | text/plain",
                "null | text/plain",
            })
    void answersTheSampleItself(String payload, String mediaType) {
        // when
        save("step_1", "OUTPUT", payload);
        var answer = expect(200, sample("step_1", "OUTPUT"));

        // then
        assertThat(answer.headers().firstValue("content-type").orElse("")).startsWith(mediaType);
        assertThat(answer.headers().firstValue("x-content-type-options")).contains("nosniff");
        var expected = Json.trusted(payload.replace('\'', '"'));
        assertThat(
                        answer.body().isNull() || mediaType.equals("text/plain")
                                ? answer.body().asText()
                                : answer.body())
                .isEqualTo(mediaType.equals("text/plain") ? expected.asText() : expected);
        assertThat(sample("step_1", "INPUT").body()).isEqualTo(Json.object());
    }

    @Test
    void keepsAMissingPayload_asTheWordUndefined() {
        // when
        save("trigger", "INPUT", "");

        // then
        assertThat(sample("trigger", "INPUT").body().asText()).isEqualTo("undefined");
    }

    @Test
    void recordsBothSidesOnTheStep_andOverwritesTheSameFile() {
        // given
        var dated = flow.version().at("/trigger/nextAction/lastUpdatedDate").asText();
        server.clock().advance(Duration.ofSeconds(1));

        // when
        var input = save("step_1", "INPUT", "{'in':1}");
        var output = save("step_1", "OUTPUT", "{'out':1}");
        var again = save("step_1", "OUTPUT", "{'out':2}");

        // then
        var step = "/nextAction";
        assertThat(recorded(again, step, "sampleDataInputFileId"))
                .isEqualTo(recorded(input, step, "sampleDataInputFileId"))
                .matches(Ids::isId);
        assertThat(recorded(again, step, "sampleDataFileId"))
                .isEqualTo(recorded(output, step, "sampleDataFileId"))
                .matches(Ids::isId);
        assertThat(recorded(again, step, "lastTestDate"))
                .isEqualTo(again.at("/version/updated").asText());
        assertThat(again.at("/version/trigger/nextAction/lastUpdatedDate").asText())
                .isEqualTo(dated);
        assertThat(sample("step_1", "OUTPUT").body()).isEqualTo(FlowSamples.json("{'out':2}"));
        assertThat(sample("step_1", "INPUT").body()).isEqualTo(FlowSamples.json("{'in':1}"));
        assertThat(files()).isEqualTo(2);
        assertThat(server.count(
                        "select count(*) from file where type = 'SAMPLE_DATA' and metadata @> jsonb_build_object("
                                + "'flowId', $1::text, 'stepName', 'step_1', 'dataType', 'JSON')",
                        flow.flowId()))
                .isOne();
    }

    private long files() {
        return server.count("select count(*) from file where metadata ->> 'flowId' = $1", flow.flowId());
    }

    @Test
    void keepsTheSampleOfAnEarlierVersion_whenALaterOneIsTested() {
        // given
        save("trigger", "OUTPUT", "{'out':1}");
        save("step_1", "OUTPUT", "'first'");
        var locked = expect(200, flow.publish()).text("/version/id");

        // when
        var drafted = save("step_1", "OUTPUT", "'second'");

        // then
        var draft = drafted.at("/version/id").asText();
        assertThat(draft).isNotEqualTo(locked);
        assertThat(sample(flow, locked, "step_1", "OUTPUT").body().asText()).isEqualTo("first");
        assertThat(sample(flow, draft, "step_1", "OUTPUT").body().asText()).isEqualTo("second");
        assertThat(sample(flow, draft, "trigger", "OUTPUT").body()).isEqualTo(FlowSamples.json("{'out':1}"));
    }

    @Test
    void takesAndClearsIdsOfFiles_butOpensNoOtherFileThanSamples() {
        // given
        save("step_1", "OUTPUT", "'mine'");
        var other = FlowClient.answering(ada.api(), ada.projectId(), "two");
        var fileId = recorded(flow.get().body(), "/nextAction", "sampleDataFileId");
        server.execute(
                "insert into file (id, created, project_id, type, file_name, content_type, size, metadata, data)"
                        + " select 'step000000000000file0', created, project_id, 'FLOW_STEP_FILE', 'x', 'x/y', 1, '{}', data"
                        + " from file where id = $1",
                fileId);

        // when
        var set = other.change(
                "UPDATE_SAMPLE_DATA_INFO",
                "{'stepName':'step_1','sampleDataSettings':{'sampleDataFileId':'step000000000000file0'}}");
        var opened = sample(other, set.at("/version/id").asText(), "step_1", "OUTPUT");
        var cleared = other.change("UPDATE_SAMPLE_DATA_INFO", "{'stepName':'step_1','sampleDataSettings':null}");
        other.change("UPDATE_SAMPLE_DATA_INFO", "{'stepName':'nobody','sampleDataSettings':null}");

        // then
        assertThat(recorded(set, "/nextAction", "lastTestDate"))
                .isEqualTo(set.at("/version/updated").asText());
        assertThat(opened.status()).isEqualTo(200);
        assertThat(opened.body().isMissingNode()).isTrue();
        assertThat(cleared.at("/version/trigger/nextAction/settings").has("sampleData"))
                .isFalse();
        assertThat(sample(other, set.at("/version/id").asText(), "step_1", "OUTPUT")
                        .body())
                .isEqualTo(Json.object());
    }

    @Test
    void answersNotFound_whenFlowVersionAndStepDoNotBelongTogether() {
        // given
        var versionId = flow.version().path("id").asText();
        var other = FlowClient.create(ada.api(), ada.projectId(), "two");
        var elsewhere = expect(201, ada.api().post("/v1/projects", Json.object().put("displayName", "Mill")))
                .text("/id");

        // then
        assertThat(sample(flow, versionId, "nobody", "OUTPUT").status()).isEqualTo(404);
        assertThat(sample(flow, Ids.next(), "step_1", "OUTPUT").status()).isEqualTo(404);
        assertThat(sample(other, versionId, "step_1", "OUTPUT").status()).isEqualTo(404);
        assertThat(ada.api()
                        .get("/v1/sample-data?projectId=" + elsewhere + "&flowId=" + flow.flowId() + "&flowVersionId="
                                + versionId + "&stepName=step_1&type=OUTPUT")
                        .status())
                .isEqualTo(404);
        assertThat(sample(flow, versionId, "step_1", "BOTH").text("/message")).contains("querystring/type");
        assertThat(ada.api().get("/v1/sample-data?projectId=" + ada.projectId()).text("/message"))
                .contains("querystring/flowId", "querystring/flowVersionId", "querystring/stepName");
        assertThat(server.anonymous()
                        .get("/v1/sample-data?projectId=" + ada.projectId() + "&flowId=" + flow.flowId()
                                + "&flowVersionId=" + versionId + "&stepName=step_1&type=OUTPUT")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void refusesASampleAboveTheLimit_andMakesNoDraftForIt() {
        // given
        expect(200, flow.publish());
        var before = flow.get().body();

        // when
        var refused = flow.apply(
                "SAVE_SAMPLE_DATA", "{'stepName':'step_1','type':'OUTPUT','payload':'" + "x".repeat(1_100_000) + "'}");

        // then
        assertThat(refused.status()).isEqualTo(413);
        assertThat(flow.get().body()).isEqualTo(before);
        assertThat(files()).isZero();
    }

    @Test
    void removesSamplesWithTheirFlow() {
        // given
        save("step_1", "OUTPUT", "'bye'");

        // when
        expect(204, ada.api().delete(flow.path()));

        // then
        Waiting.until("no sample is left", () -> files() == 0);
    }
}
