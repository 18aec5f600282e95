package io.millrace.authoring.flow;

import static io.millrace.authoring.flow.editor.FlowSamples.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations with a precondition: applied only to the version that their caller has read. The clock is fixed. */
class FlowPreconditionIT {
    @AutoClose
    private static TestServer server = TestServer.start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private FlowClient flow;

    @BeforeEach
    void makeFlow() {
        flow = FlowClient.create(ada.api(), ada.projectId(), "My flow");
        flow.change("UPDATE_TRIGGER", FlowClient.WEBHOOK);
        flow.change("ADD_ACTION", "{'parentStep':'trigger','action':" + code("step_1") + "}");
    }

    private String updated() {
        return flow.version().path("updated").asText();
    }

    private Answer applyTo(String version, String type, String request) {
        var operation = Json.object().put("type", type).set("request", FlowSamples.json(request));
        var headers = Map.of("If-Match", version, "Content-Type", "application/json");
        return ada.api().send("POST", flow.path(), headers, operation.toString());
    }

    @Test
    void appliesAnOperation_toTheVersionThatWasRead() {
        for (var name : new String[] {"One", "Two", "Three"}) {
            assertThat(applyTo('"' + updated() + '"', "CHANGE_NAME", "{'displayName':'" + name + "'}")
                            .status())
                    .isEqualTo(200);
        }
        assertThat(applyTo(updated(), "CHANGE_NAME", "{'displayName':'Without quotes'}")
                        .status())
                .isEqualTo(200);
        assertThat(applyTo("*", "CHANGE_NAME", "{'displayName':'Any'}").status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CHANGE_NAME {'displayName':'Lost'}",
                "DELETE_ACTION {'names':['step_1']}",
                "ADD_NOTE {'id':'n','content':'x','color':'blue','position':{'x':1,'y':2},'size':{'width':3,'height':4}}",
                "CHANGE_FOLDER {'folderId':null}",
                "LOCK_AND_PUBLISH {}",
                "SAVE_SAMPLE_DATA {'stepName':'step_1','payload':1,'type':'OUTPUT'}"
            })
    void changesNothing_whenTheVersionHasChanged(String operation) {
        var read = updated();
        flow.change("CHANGE_NAME", "{'displayName':'By another writer'}");
        var before = flow.get().body();
        var parts = operation.split(" ", 2);

        var refused = applyTo(read, parts[0], parts[1]);

        assertThat(refused.status()).isEqualTo(412);
        assertThat(refused.text("/code")).isEqualTo("FLOW_VERSION_CHANGED");
        assertThat(refused.text("/params/updated")).isEqualTo(updated());
        assertThat(refused.text("/params/versionId"))
                .isEqualTo(before.at("/version/id").asText());
        assertThat(flow.get().body()).isEqualTo(before);
    }

    @Test
    void appliesOneOfTwoOperations_thatWereMadeFromTheSameVersion() {
        var read = updated();
        var names = IntStream.range(0, 8).mapToObj(number -> "Name " + number).toList();

        var applied = names.parallelStream()
                .filter(name -> applyTo(read, "CHANGE_NAME", "{'displayName':'" + name + "'}")
                                .status()
                        == 200)
                .toList();

        assertThat(applied).hasSize(1);
        assertThat(flow.version().path("displayName").asText()).isEqualTo(applied.getFirst());
    }

    /** Two versions never have the same time in the resolution of the API, although the clock is fixed. */
    @Test
    void givesEveryVersionATimeOfItsOwn() {
        var times = IntStream.range(0, 20)
                .mapToObj(number -> flow.change("CHANGE_NAME", "{'displayName':'" + number + "'}")
                        .at("/version/updated")
                        .asText())
                .toList();

        assertThat(times).doesNotHaveDuplicates().isSorted();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"yesterday", "\"\"", "W/\"2026-01-01T00:00:00.000Z\"", "2026-01-01T00:00:00Z", "\"a\", \"b\""})
    void refusesAPrecondition_thatNamesNoVersion(String header) {
        var refused = applyTo(header, "CHANGE_NAME", "{'displayName':'Other'}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/message")).contains("headers/if-match");
    }
}
