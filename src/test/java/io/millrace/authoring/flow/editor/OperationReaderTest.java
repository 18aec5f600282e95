package io.millrace.authoring.flow.editor;

import static io.millrace.authoring.flow.editor.FlowSamples.apply;
import static io.millrace.authoring.flow.editor.FlowSamples.code;
import static io.millrace.authoring.flow.editor.FlowSamples.json;
import static io.millrace.authoring.flow.editor.FlowSamples.operation;
import static io.millrace.authoring.flow.editor.FlowSamples.piece;
import static io.millrace.authoring.flow.editor.FlowSamples.pieceTrigger;
import static io.millrace.authoring.flow.editor.FlowSamples.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schemas of contract flows-and-engine 4.1, 4.2 and 34.2. */
class OperationReaderTest {
    private static void refused(String type, String request, String text) {
        assertThatThrownBy(() -> operation(type, request)).isInstanceOfSatisfying(ApiException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_INPUT);
            assertThat(refusal.text()).contains(text);
        });
    }

    private static String added(String action) {
        return "{'parentStep':'trigger','action':" + action + "}";
    }

    private static String condition(String fields) {
        return added(step(
                "step_1",
                "ROUTER",
                "{'executionType':'EXECUTE_ALL_MATCH','branches':[{'branchType':'CONDITION','branchName':'B','conditions':[[{"
                        + fields + "}]]}]}"));
    }

    private static com.fasterxml.jackson.databind.JsonNode conditionRead(String fields) {
        var add = (FlowOperation.AddAction) operation("ADD_ACTION", condition(fields));
        return add.action().settings().at("/branches/0/conditions/0/0");
    }

    @Test
    void refusesAnUnknownType_andNamesTheKnownOnes() {
        refused("FLY", "{}", "body/type Invalid option: expected one of \"CHANGE_NAME\"|");
    }

    @ParameterizedTest
    @EnumSource(OperationType.class)
    void refusesEveryOperationWithoutRequest(OperationType type) {
        assertThatThrownBy(() -> FlowOperation.parse(json("{'type':'" + type + "'}")))
                .hasMessageContaining("body/request Invalid input: expected object, received undefined");
    }

    @ParameterizedTest
    @EnumSource(
            value = OperationType.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LOCK_FLOW", "LOCK_AND_PUBLISH", "CHANGE_FOLDER", "UPDATE_METADATA", "UPDATE_MINUTES_SAVED"})
    void refusesAnEmptyRequest_whenFieldsAreRequired(OperationType type) {
        refused(type.name(), "{}", "body/request/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1abc", "a-b", ""})
    void refusesStepNames_thatMissThePattern(String name) {
        refused(
                "ADD_ACTION",
                added(code(name)),
                "body/request/action/name Invalid string: must match pattern /^[a-zA-Z_][a-zA-Z0-9_]*$/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "fail"})
    void takesWhatBecomesOfAStepOnACrash(String choice) {
        var settings = "{'sourceCode':{'code':'','packageJson':'{}'},'input':{},'errorHandlingOptions':{'onCrash':'"
                + choice + "'}}";

        var add = (FlowOperation.AddAction) operation("ADD_ACTION", added(step("step_1", "CODE", settings)));

        assertThat(add.action().settings().at("/errorHandlingOptions/onCrash").asText())
                .isEqualTo(choice);
        refused(
                "ADD_ACTION",
                added(step("step_1", "CODE", settings.replace(choice, "explode"))),
                "body/request/action/settings/errorHandlingOptions/onCrash Invalid string");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_x", "a1"})
    void takesStepNames_thatMatch(String name) {
        assertThat(operation("ADD_ACTION", added(code(name)))).isInstanceOf(FlowOperation.AddAction.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"~1.2.3", "^1.2.3", "1.2.3"})
    void stripsWildcardsOfPieceVersions(String version) {
        var add = (FlowOperation.AddAction) operation("ADD_ACTION", added(piece("step_1", version, "{}")));
        assertThat(((PieceStep) add.action()).pieceVersion()).contains("1.2.3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"latest", "1.2", ""})
    void refusesOtherPieceVersions(String version) {
        refused(
                "ADD_ACTION",
                added(piece("step_1", version, "{}")),
                "body/request/action/settings/pieceVersion Invalid");
    }

    @Test
    void dropsWhatTheServerOwns() {
        // given
        var request = json(code("step_1"))
                .put("lastUpdatedDate", "x")
                .put("children", 5)
                .put("other", 1);
        request.putObject("nextAction").put("name", "evil");
        ((com.fasterxml.jackson.databind.node.ObjectNode) request.get("settings"))
                .put("sampleData", 5)
                .put("unknown", true);

        // when
        var update = (FlowOperation.UpdateAction)
                FlowOperation.parse(json("{'type':'UPDATE_ACTION'}").set("request", request));

        // then
        assertThat(update.action().base().lastUpdatedDate()).isNull();
        assertThat(update.action().settings().fieldNames()).toIterable().containsExactly("sourceCode", "input");
        assertThat(((CodeStep) update.action()).sequences()).allMatch(java.util.List::isEmpty);
    }

    @Test
    void refusesANumberAsFirstValue_andNamesIt() {
        refused(
                "ADD_ACTION",
                condition("'firstValue':5,'secondValue':'x','operator':'TEXT_CONTAINS'"),
                "body/request/action/settings/branches/0/conditions/0/0/firstValue"
                        + " Invalid input: expected string, received number");
    }

    @Test
    void dropsTheSecondValue_whenTheOperatorTakesOne() {
        assertThat(conditionRead("'firstValue':'a','secondValue':'b','caseSensitive':true,'operator':'EXISTS'"))
                .isEqualTo(json("{'firstValue':'a','operator':'EXISTS'}"));
    }

    @Test
    void dropsCaseSensitivity_whenNumbersAreCompared() {
        assertThat(conditionRead(
                        "'firstValue':'1','secondValue':'2','caseSensitive':true,'operator':'NUMBER_IS_LESS_THAN'"))
                .isEqualTo(json("{'firstValue':'1','secondValue':'2','operator':'NUMBER_IS_LESS_THAN'}"));
    }

    @Test
    void keepsBothValues_whenThereIsNoOperator() {
        assertThat(conditionRead("'firstValue':'a','secondValue':'b'"))
                .isEqualTo(json("{'firstValue':'a','secondValue':'b'}"));
        assertThat(conditionRead("'firstValue':'a'")).isEqualTo(json("{'firstValue':'a'}"));
    }

    @Test
    void refusesAnUnknownOperator() {
        refused(
                "ADD_ACTION",
                condition("'firstValue':'a','operator':'SMELLS'"),
                "conditions/0/0/operator Invalid option");
    }

    @Test
    void refusesAnUnknownStepType_withoutJudgingItsSettings() {
        refused(
                "ADD_ACTION",
                added(step("step_1", "AI_ROUTER", "{}")),
                "body/request/action/type Invalid option: expected one of \"CODE\"|\"PIECE\"|\"LOOP_ON_ITEMS\"|\"ROUTER\"");
    }

    @Test
    void takesATriggerWithoutDate() {
        assertThat(operation("UPDATE_TRIGGER", pieceTrigger("{}"))).isInstanceOf(FlowOperation.UpdateTrigger.class);
    }

    @Test
    void takesLockFlow_whenTheRequestIsEmpty() {
        assertThat(operation("LOCK_FLOW", "{}")).isEqualTo(new FlowOperation.LockFlow());
        assertThat(operation("LOCK_AND_PUBLISH", "{'status':'DISABLED'}"))
                .isEqualTo(new FlowOperation.LockAndPublish(java.util.Optional.of(FlowStatus.DISABLED)));
    }

    @Test
    void collectsEveryViolation() {
        refused("MOVE_BRANCH", "{'sourceBranchIndex':1.5}", "body/request/stepName Invalid input");
        refused("MOVE_BRANCH", "{'sourceBranchIndex':1.5}", "sourceBranchIndex Invalid input: expected int");
        refused("MOVE_BRANCH", "{'sourceBranchIndex':1.5}", "targetBranchIndex Invalid input: expected number");
    }

    @Test
    void refusesAnUnknownColour() {
        refused(
                "ADD_NOTE",
                "{'id':'n','content':'','color':'pink','position':{'x':1,'y':2},'size':{'width':1,'height':1}}",
                "body/request/color Invalid option: expected one of \"orange\"|");
    }

    @Test
    void readsRequestsWithMissingSettings_asRefusalsOfTheField() {
        refused("UPDATE_ACTION", "{'name':'a','displayName':'a','type':'CODE'}", "body/request/settings Invalid input");
        assertThat(FlowSamples.show(apply(FlowSamples.empty(), "DELETE_ACTION", "{'names':[]}")))
                .isEqualTo("trigger");
        refused("DELETE_ACTION", "{'names':'step_1'}", "body/request/names Invalid input: expected array");
    }
}
