package io.millrace.authoring.flow;

import static io.millrace.authoring.flow.FlowClient.expect;
import static io.millrace.authoring.flow.editor.FlowSamples.code;
import static io.millrace.authoring.flow.editor.FlowSamples.loop;
import static io.millrace.authoring.flow.editor.FlowSamples.router;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Editing flows over HTTP (contract flows-and-engine 4). The clock is fixed: edits must not depend on it. */
class FlowEditIT {
    @AutoClose
    private static TestServer server = TestServer.start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private FlowClient flow;

    @BeforeEach
    void makeFlow() {
        flow = FlowClient.create(ada.api(), ada.projectId(), "My flow");
    }

    private void add(String parent, String placement, String action) {
        flow.change("ADD_ACTION", "{'parentStep':'" + parent + "'," + placement + "'action':" + action + "}");
    }

    /** trigger > step_1 > step_2(step_3) > step_4[step_5/null], as in contract 34.1. */
    private void addSteps() {
        add("trigger", "", code("step_1"));
        add("step_1", "", loop("step_2"));
        add("step_2", "'stepLocationRelativeToParent':'INSIDE_LOOP',", code("step_3"));
        add("step_2", "'stepLocationRelativeToParent':'AFTER',", router("step_4"));
        add("step_4", "'stepLocationRelativeToParent':'INSIDE_BRANCH','branchIndex':0,", code("step_5"));
    }

    @Test
    void marksACallInvalid_whenItNamesNoFlow() {
        add(
                "trigger",
                "",
                FlowSamples.step(
                        "step_1",
                        "PIECE",
                        "{'pieceName':'@activepieces/piece-subflows','pieceVersion':'0.6.3','actionName':'callFlow',"
                                + "'input':{'mode':'simple','flowProps':{'payload':{}}},'propertySettings':{}}"));

        assertThat(flow.version().at("/trigger/nextAction/valid").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0.4.11, ADD_ACTION", "0.6.3, ADD_ACTION", "0.6.3, UPDATE_ACTION"})
    void keepsTheCalledFlow_givenInTheInputOfEarlierVersions(String version, String operation) {
        // given
        var call = FlowSamples.step(
                "step_1",
                "PIECE",
                "{'pieceName':'@activepieces/piece-subflows','pieceVersion':'" + version
                        + "','actionName':'callFlow','input':{'flow':{'externalId':'orders','exampleData':{}},"
                        + "'mode':'simple','flowProps':{'payload':{}},'waitForResponse':true},'propertySettings':{}}");
        add("trigger", "", code("step_1"));

        // when
        if (operation.equals("ADD_ACTION")) {
            add("trigger", "", call);
        } else {
            flow.change(operation, call);
        }

        // then
        var stored = flow.version().at("/trigger/nextAction");
        assertThat(stored.at("/settings/input/flowId").asText()).isEqualTo("orders");
        assertThat(stored.path("valid").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "DUPLICATE_ACTION | {'stepName':'step_2'} | trigger > step_1 > step_2(step_3) > step_6(step_7) > step_4[step_5/null]",
                "DUPLICATE_BRANCH | {'stepName':'step_4','branchIndex':0} | trigger > step_1 > step_2(step_3) > step_4[step_5/step_6/null]",
                "MOVE_ACTION | {'name':'step_4','newParentStep':'trigger','stepLocationRelativeToNewParent':'AFTER'} | trigger > step_4[step_5/null] > step_1 > step_2(step_3)",
                "DELETE_ACTION | {'names':['step_4','step_1']} | trigger > step_2(step_3)",
                "ADD_BRANCH | {'stepName':'step_4','branchIndex':1,'branchName':'New'} | trigger > step_1 > step_2(step_3) > step_4[step_5/null/null]",
                "MOVE_BRANCH | {'stepName':'step_4','sourceBranchIndex':0,'targetBranchIndex':1} | trigger > step_1 > step_2(step_3) > step_4[step_5/null]",
                "DELETE_BRANCH | {'stepName':'step_4','branchIndex':0} | trigger > step_1 > step_2(step_3) > step_4[null]",
                "ADD_ACTION | {'parentStep':'nobody','action':{'type':'CODE','name':'new','displayName':'New','valid':true,'settings':{'sourceCode':{'code':'x','packageJson':'{}'},'input':{}}}} | trigger > step_1 > step_2(step_3) > step_4[step_5/null]",
                "ADD_ACTION | {'parentStep':'step_1','stepLocationRelativeToParent':'INSIDE_LOOP','action':{'type':'CODE','name':'new','displayName':'New','valid':true,'settings':{'sourceCode':{'code':'x','packageJson':'{}'},'input':{}}}} | trigger > step_1 > new > step_2(step_3) > step_4[step_5/null]",
                "DELETE_ACTION | {'names':['nobody']} | trigger > step_1 > step_2(step_3) > step_4[step_5/null]"
            })
    void editsTheTree(String type, String request, String expected) {
        // given
        addSteps();

        // when
        var edited = flow.change(type, request);

        // then
        assertThat(flow.shown()).isEqualTo(expected);
        assertThat(flow.get().body()).isEqualTo(edited);
    }

    @Test
    void editsSteps() {
        // given
        addSteps();

        // when
        flow.change("UPDATE_TRIGGER", FlowClient.WEBHOOK.replace("0.1.29", "~0.1.29"));
        flow.change("UPDATE_ACTION", code("step_1").replace("The step_1", "Renamed"));
        flow.change("SET_SKIP_ACTION", "{'names':['step_2'],'skip':true}");
        flow.change("UPDATE_SAMPLE_DATA_INFO", "{'stepName':'step_1','sampleDataSettings':{'sampleDataFileId':'f1'}}");
        var version = flow.version();

        // then
        assertThat(version.at("/trigger/settings/pieceVersion").asText()).isEqualTo("0.1.29");
        var step = version.at("/trigger/nextAction");
        assertThat(step.path("displayName").asText()).isEqualTo("Renamed");
        assertThat(step.at("/nextAction/skip").asBoolean()).isTrue();
        assertThat(step.at("/settings/sampleData/sampleDataFileId").asText()).isEqualTo("f1");
        assertThat(step.at("/settings/sampleData/lastTestDate").asText()).isNotEmpty();
        assertThat(version.path("valid").asBoolean()).isTrue();
        assertThat(version.path("updatedBy").asText()).isEqualTo(ada.userId());
    }

    @Test
    void editsTheFlowsOwnFields_andKeepsWhatIsNotNamed() {
        // when
        flow.change("UPDATE_METADATA", "{'metadata':{'a':1}}");
        flow.change("UPDATE_METADATA", "{}");
        flow.change("UPDATE_MINUTES_SAVED", "{'timeSavedPerRun':2.5}");
        flow.change("UPDATE_MINUTES_SAVED", "{}");
        flow.change("CHANGE_FOLDER", "{'folderId':null}");
        var foldered = flow.apply("CHANGE_FOLDER", "{'folderId':'" + Ids.next() + "'}");
        var kept = flow.get().body();

        // then
        assertThat(kept.path("metadata")).isEqualTo(FlowSamples.json("{'a':1}"));
        assertThat(kept.path("timeSavedPerRun").asDouble()).isEqualTo(2.5);
        assertThat(foldered.status()).isEqualTo(404);
        assertThat(flow.change("UPDATE_METADATA", "{'metadata':null}")
                        .path("metadata")
                        .isNull())
                .isTrue();
        assertThat(flow.change("UPDATE_MINUTES_SAVED", "{'timeSavedPerRun':null}")
                        .path("timeSavedPerRun")
                        .isNull())
                .isTrue();
    }

    @Test
    void keepsNotes_onTheLockedVersionToo() {
        // given
        flow.change("LOCK_FLOW", "{}");
        var note = "'id':'n1','position':{'x':1,'y':2},'size':{'width':3,'height':4},'color':'red',";

        // when
        flow.change("ADD_NOTE", "{" + note + "'content':'First'}");
        flow.change("UPDATE_NOTE", "{" + note + "'content':'Second'}");
        var version = flow.version();
        flow.change("DELETE_NOTE", "{'id':'n1'}");

        // then
        assertThat(version.path("state").asText()).isEqualTo("LOCKED");
        assertThat(version.at("/notes/0/content").asText()).isEqualTo("Second");
        assertThat(version.at("/notes/0/ownerId").asText()).isEqualTo(ada.userId());
        assertThat(flow.version().path("notes")).isEmpty();
    }

    @Test
    void makesADraft_whenALockedVersionIsEdited_butNoneForAnEditThatFails() {
        // given
        addSteps();
        flow.change("LOCK_FLOW", "{}");
        var locked = flow.version();

        // when
        var failed = flow.apply("DUPLICATE_ACTION", "{'stepName':'nobody'}");
        var afterFailure = versions();
        flow.change("CHANGE_NAME", "{'displayName':'Draft'}");
        var draft = flow.version();

        // then
        assertThat(failed.status()).isEqualTo(404);
        assertThat(afterFailure).hasSize(1);
        assertThat(versions()).hasSize(2);
        assertThat(draft.path("id")).isNotEqualTo(locked.path("id"));
        assertThat(draft.path("state").asText()).isEqualTo("DRAFT");
        assertThat(flow.shown()).isEqualTo("trigger > step_1 > step_2(step_3) > step_4[step_5/null]");
        var lockedNow =
                ada.api().get(flow.path() + "?versionId=" + locked.path("id").asText());
        assertThat(lockedNow.body().path("version")).isEqualTo(locked);
    }

    @Test
    void returnsToAnEarlierVersion() {
        // given
        addSteps();
        flow.change("LOCK_FLOW", "{}");
        var versionId = flow.version().path("id").asText();
        flow.change("DELETE_ACTION", "{'names':['step_1','step_2','step_4']}");
        flow.change("CHANGE_NAME", "{'displayName':'Other'}");
        var other = FlowClient.create(ada.api(), ada.projectId(), "other");

        // when
        var foreign = other.apply("USE_AS_DRAFT", "{'versionId':'" + versionId + "'}");
        flow.change("USE_AS_DRAFT", "{'versionId':'" + versionId + "'}");

        // then
        assertThat(flow.shown()).isEqualTo("trigger > step_1 > step_2(step_3) > step_4[step_5/null]");
        assertThat(flow.version().path("displayName").asText()).isEqualTo("My flow");
        assertThat(foreign.status()).isEqualTo(404);
    }

    private JsonNode versions() {
        return expect(200, ada.api().get(flow.path() + "/versions")).body().path("data");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "PAINT_IT_BLACK | {} | 400 | body/type Invalid option",
                "CHANGE_NAME | {'displayName':7} | 400 | body/request/displayName Invalid input: expected string, received number",
                "CHANGE_NAME | {} | 400 | body/request/displayName Invalid input: expected string, received undefined",
                "CHANGE_STATUS | {'status':'ON'} | 400 | body/request/status",
                "ADD_ACTION | {'parentStep':'trigger'} | 400 | body/request/action",
                "ADD_ACTION | {'parentStep':'trigger','action':{'type':'CODE','name':'a-b','displayName':'x','settings':{}}} | 400 | body/request/action/name",
                "ADD_ACTION | {'parentStep':'step_2','action':{'type':'LOOP_ON_ITEMS','name':'a','displayName':'x','settings':{'items':'x'}}} | 400 | step_2",
                "ADD_ACTION | {'parentStep':'trigger','action':{'type':'PIECE','name':'a','displayName':'x','settings':{'pieceName':'nobody','pieceVersion':'1.2.3','actionName':'x','input':{},'propertySettings':{}}}} | 404 | nobody",
                "UPDATE_TRIGGER | {'type':'EMPTY','name':'other','displayName':'x','valid':true,'settings':{}} | 404 | other",
                "MOVE_ACTION | {'name':'step_2','newParentStep':'step_3','stepLocationRelativeToNewParent':'AFTER'} | 400 | step_3",
                "DUPLICATE_ACTION | {'stepName':'nobody'} | 404 | nobody",
                "DUPLICATE_BRANCH | {'stepName':'nobody','branchIndex':0} | 404 | nobody",
                "IMPORT_FLOW | {'displayName':'x','schemaVersion':'22','trigger':{'name':'trigger','type':'EMPTY','displayName':'x','settings':{},'valid':false}} | 400 | lastUpdatedDate",
                "USE_AS_DRAFT | {'versionId':'nobody'} | 404 | nobody",
                "SAVE_SAMPLE_DATA | {'stepName':'nobody','type':'OUTPUT','payload':1} | 404 | nobody",
                "SAVE_SAMPLE_DATA | {'stepName':'step_1','type':'BOTH','payload':1} | 400 | body/request/type",
                "CHANGE_STATUS | {'status':'ENABLED'} | 400 | without a published version",
                "ADD_NOTE | {'id':'n','content':'x','position':{'x':'left','y':1},'size':{'width':1,'height':1}} | 400 | body/request/position/x"
            })
    void changesNothing_whenAnOperationIsRefused(String type, String request, int status, String text) {
        // given
        addSteps();
        var before = flow.get().body();

        // when
        var refused = flow.apply(type, request);

        // then
        assertThat(refused.status()).as(refused.toString()).isEqualTo(status);
        assertThat(refused.body().toString()).contains(text);
        assertThat(flow.get().body()).isEqualTo(before);
    }

    @Test
    void refusesBodiesThatAreNoOperation() {
        // when
        var requestless = ada.api().post(flow.path(), FlowSamples.json("{'type':'LOCK_FLOW'}"));
        var list = ada.api().post(flow.path(), Json.array());
        var broken = ada.api().postText(flow.path(), "{\"type\":", "X-Test", "1");

        // then
        assertThat(requestless.text("/message"))
                .isEqualTo("body/request Invalid input: expected object, received undefined");
        assertThat(list.status()).isEqualTo(400);
        assertThat(list.text("/message")).startsWith("body/ Invalid input: expected object");
        assertThat(broken.status()).isEqualTo(400);
        assertThat(flow.version().path("state").asText()).isEqualTo("DRAFT");
    }

    @Test
    void losesNoEdit_whenFiftyComeAtOnce() {
        // given
        add("trigger", "", router("step_1"));
        flow.change("LOCK_FLOW", "{}");
        var edits = new ArrayList<CompletableFuture<Answer>>();
        var expected = new ArrayList<String>(List.of("B1", "Otherwise"));

        // when
        for (var number = 1; number <= 50; number++) {
            expected.add("new " + number);
            edits.add(flow.applyAsync(
                    "ADD_BRANCH", "{'stepName':'step_1','branchIndex':0,'branchName':'new " + number + "'}"));
        }

        // then
        assertThat(edits).allSatisfy(edit -> assertThat(edit.join().status()).isEqualTo(200));
        var router = flow.version().at("/trigger/nextAction");
        assertThat(router.at("/settings/branches").findValuesAsText("branchName"))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(router.path("children")).hasSize(52);
        assertThat(versions()).hasSize(2);
    }
}
