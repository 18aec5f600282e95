package io.millrace.authoring.importer.n8n;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.Seeds;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changed workflows over HTTP: each becomes flows that are valid or have named gaps. */
@Slow(Slow.Reason.DURATION)
class ImportFuzzIT {
    private static final int REQUESTS = 10;
    private static final int WORKFLOWS = 5;

    @AutoClose
    private static TestServer server = TestServer.start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    @Test
    void importsMutationsOfTheCollection() {
        var originals = ImportSamples.files().stream().map(ImportSamples::read).toList();
        Seeds.each(REQUESTS, random -> {
            var workflows = Json.array();
            for (var number = 0; number < WORKFLOWS; number++) {
                workflows.add(ImportMutationTest.mutant(originals, random));
            }
            assertImported(workflows);
        });
    }

    @Test
    void importsGeneratedWorkflows() {
        Seeds.each(REQUESTS, random -> {
            var workflows = Json.array();
            for (var number = 0; number < WORKFLOWS; number++) {
                workflows.add(GeneratedWorkflow.of(random.nextLong()));
            }
            assertImported(workflows);
        });
    }

    private static void assertImported(JsonNode workflows) {
        var request = Json.object().put("projectId", ada.projectId());
        request.set("workflows", workflows);

        var answer = ada.api().post("/v1/flows/import/n8n", request);

        if (answer.status() == 400) {
            assertThat(answer.text("/message")).contains("must not contain the NUL character");
            return;
        }
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        for (var flow : answer.body().path("flows")) {
            assertThat(flow.has("error")).as(flow.toString()).isFalse();
            assertThat(flow.path("valid").asBoolean() || !flow.path("problems").isEmpty())
                    .as(flow.toString())
                    .isTrue();
            for (var entry : flow.at("/report/entries")) {
                assertThat(entry.path("result").asText().equals("exact")
                                || !entry.path("differences").isEmpty())
                        .as(entry.toString())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "1",
                "\"x\"",
                "[null,1,\"x\",[],{}]",
                "{\"nodes\":{}}",
                "{\"nodes\":[[]]}",
                "{\"nodes\":[{\"name\":1,\"type\":2,\"typeVersion\":\"x\",\"position\":{},\"parameters\":\"y\",\"credentials\":[1]}],\"connections\":\"z\"}",
                "{\"nodes\":[{\"name\":\"A\",\"type\":\"n8n-nodes-base.set\",\"typeVersion\":1e300,\"position\":[1e308,-1e308]}],\"connections\":{\"A\":{\"main\":[[{\"node\":\"A\",\"index\":99999999999}]],\"ai_tool\":[null]}}}"
            })
    void answersAnyShape(String workflows) {
        var request = "{\"projectId\":\"" + ada.projectId() + "\",\"dryRun\":true,\"workflows\":" + workflows + "}";

        var answer = ada.api().post("/v1/flows/import/n8n", Json.trusted(request));

        assertThat(answer.status()).as(answer.toString()).isIn(200, 400);
    }
}
