package io.millrace.authoring.flow.editor;

import static io.millrace.authoring.flow.editor.FlowSamples.add;
import static io.millrace.authoring.flow.editor.FlowSamples.apply;
import static io.millrace.authoring.flow.editor.FlowSamples.base;
import static io.millrace.authoring.flow.editor.FlowSamples.branchNames;
import static io.millrace.authoring.flow.editor.FlowSamples.code;
import static io.millrace.authoring.flow.editor.FlowSamples.empty;
import static io.millrace.authoring.flow.editor.FlowSamples.loop;
import static io.millrace.authoring.flow.editor.FlowSamples.refused;
import static io.millrace.authoring.flow.editor.FlowSamples.router;
import static io.millrace.authoring.flow.editor.FlowSamples.settings;
import static io.millrace.authoring.flow.editor.FlowSamples.show;
import static io.millrace.authoring.flow.editor.FlowSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.ErrorCode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree operations of contract flows-and-engine 4 and 34.1. */
class FlowEditorTest {
    @Nested
    class TreeVectors {
        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                quoteCharacter = '~',
                value = {
                    "DUPLICATE_ACTION; {'stepName':'step_4'}; trigger > step_1 > step_2(step_3) > step_4[step_5/null] > step_6[step_7/null]",
                    "DUPLICATE_ACTION; {'stepName':'step_2'}; trigger > step_1 > step_2(step_3) > step_6(step_7) > step_4[step_5/null]",
                    "DUPLICATE_BRANCH; {'stepName':'step_4','branchIndex':0}; trigger > step_1 > step_2(step_3) > step_4[step_5/step_6/null]",
                    "DUPLICATE_BRANCH; {'stepName':'step_4','branchIndex':1}; trigger > step_1 > step_2(step_3) > step_4[step_5/null/null]",
                    "MOVE_ACTION; {'name':'step_4','newParentStep':'trigger','stepLocationRelativeToNewParent':'AFTER'}; trigger > step_4[step_5/null] > step_1 > step_2(step_3)",
                    "DELETE_ACTION; {'names':['step_4','step_1']}; trigger > step_2(step_3)",
                    "DELETE_ACTION; {'names':['step_5','step_3']}; trigger > step_1 > step_2(-) > step_4[null/null]",
                    "DELETE_ACTION; {'names':['trigger','nobody']}; trigger > step_1 > step_2(step_3) > step_4[step_5/null]",
                    "ADD_BRANCH; {'stepName':'step_4','branchIndex':1,'branchName':'B2'}; trigger > step_1 > step_2(step_3) > step_4[step_5/null/null]",
                    "ADD_BRANCH; {'stepName':'nobody','branchIndex':1,'branchName':'B2'}; trigger > step_1 > step_2(step_3) > step_4[step_5/null]",
                    "MOVE_BRANCH; {'stepName':'step_4','sourceBranchIndex':0,'targetBranchIndex':1}; trigger > step_1 > step_2(step_3) > step_4[step_5/null]",
                    "MOVE_BRANCH; {'stepName':'step_4','sourceBranchIndex':0,'targetBranchIndex':9}; trigger > step_1 > step_2(step_3) > step_4[step_5/null]",
                    "DELETE_BRANCH; {'stepName':'step_4','branchIndex':0}; trigger > step_1 > step_2(step_3) > step_4[null]",
                    "DELETE_BRANCH; {'stepName':'step_1','branchIndex':0}; trigger > step_1 > step_2(step_3) > step_4[step_5/null]"
                })
        void changesTheTreeAsTheVectorSays(String type, String request, String expected) {
            // given
            var base = base();

            // when
            var edited = apply(base, type, request);

            // then
            assertThat(show(edited)).isEqualTo(expected);
        }

        @Test
        void namesTheCopyOfABranch_whenItIsDuplicated() {
            // when
            var first = apply(base(), "DUPLICATE_BRANCH", "{'stepName':'step_4','branchIndex':0}");
            var fallback = apply(base(), "DUPLICATE_BRANCH", "{'stepName':'step_4','branchIndex':1}");

            // then
            assertThat(branchNames(first, "step_4")).containsExactly("B1", "B1 Copy", "Otherwise");
            assertThat(branchNames(fallback, "step_4")).containsExactly("B1", "Otherwise", "Otherwise Copy");
            var copy = settings(fallback, "step_4").path("branches").path(2);
            assertThat(copy.path("branchType").asText()).isEqualTo("CONDITION");
            assertThat(copy.path("conditions").path(0).path(0).path("operator").asText())
                    .isEqualTo("TEXT_CONTAINS");
        }

        @Test
        void movesBranchAndChildTogether() {
            // given
            var wide = apply(base(), "ADD_BRANCH", "{'stepName':'step_4','branchIndex':1,'branchName':'B2'}");

            // when
            var moved = apply(wide, "MOVE_BRANCH", "{'stepName':'step_4','sourceBranchIndex':0,'targetBranchIndex':1}");

            // then
            assertThat(show(moved)).endsWith("step_4[null/step_5/null]");
            assertThat(branchNames(moved, "step_4")).containsExactly("B2", "B1", "Otherwise");
        }

        @Test
        void refusesBranchIndexes_whenTheyAreOutOfRange() {
            refused(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    () -> apply(base(), "ADD_BRANCH", "{'stepName':'step_4','branchIndex':3,'branchName':'B2'}"));
            refused(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    () -> apply(base(), "DELETE_BRANCH", "{'stepName':'step_4','branchIndex':2}"));
            refused(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    () -> apply(base(), "DUPLICATE_BRANCH", "{'stepName':'step_4','branchIndex':-1}"));
            refused(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    () -> apply(base(), "DUPLICATE_BRANCH", "{'stepName':'step_1','branchIndex':0}"));
        }

        @Test
        void answersNotFound_whenACopyHasNoOriginal() {
            refused(ErrorCode.ENTITY_NOT_FOUND, () -> apply(base(), "DUPLICATE_ACTION", "{'stepName':'nobody'}"));
            refused(
                    ErrorCode.ENTITY_NOT_FOUND,
                    () -> apply(base(), "DUPLICATE_BRANCH", "{'stepName':'nobody','branchIndex':0}"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"step_3", "step_2"})
        void refusesToMoveAStepUnderItself(String parent) {
            refused(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    () -> apply(
                            base(),
                            "MOVE_ACTION",
                            "{'name':'step_2','newParentStep':'" + parent
                                    + "','stepLocationRelativeToNewParent':'AFTER'}"));
        }

        @ParameterizedTest
        @CsvSource({"nobody,step_1", "step_1,nobody", "trigger,step_1"})
        void answersNotFound_whenAMoveLacksSourceOrParent(String name, String parent) {
            refused(
                    ErrorCode.ENTITY_NOT_FOUND,
                    () -> apply(base(), "MOVE_ACTION", "{'name':'" + name + "','newParentStep':'" + parent + "'}"));
        }

        @Test
        void followsReferencesOfCopiedSteps_butOnlyInInputs() {
            // given
            var input = "{'text':'{{step_1[@output@][@item@]}} step_1 {{step_10.x}} {{step_2}}'}".replace('@', '`');
            var version = add(empty(), "trigger", "", step("step_1", "LOOP_ON_ITEMS", "{'items':'{{step_1}}'}"));
            version = add(
                    version,
                    "step_1",
                    "'stepLocationRelativeToParent':'INSIDE_LOOP',",
                    step(
                            "step_2",
                            "CODE",
                            "{'sourceCode':{'code':'step_1','packageJson':'{}'},'input':" + input + "}"));

            // when
            var edited = apply(version, "DUPLICATE_ACTION", "{'stepName':'step_1'}");

            // then
            assertThat(show(edited)).isEqualTo("trigger > step_1(step_2) > step_3(step_4)");
            assertThat(settings(edited, "step_4").path("input").path("text").asText())
                    .isEqualTo("{{step_3[`output`][`item`]}} step_1 {{step_10.x}} {{step_4}}");
            assertThat(settings(edited, "step_4")
                            .path("sourceCode")
                            .path("code")
                            .asText())
                    .isEqualTo("step_1");
            assertThat(settings(edited, "step_3").path("items").asText()).isEqualTo("{{step_1}}");
            assertThat(edited.steps().find("step_4").orElseThrow().displayName())
                    .isEqualTo("The step_2 Copy");
            assertThat(settings(edited, "step_4").path("sampleData").isEmpty()).isTrue();
        }

        @Test
        void numbersStepsDepthFirst_withErrorBranchesBeforeTheNextStep() {
            // given
            var version = add(empty(), "trigger", "", code("step_1"));
            version = add(version, "step_1", "", code("next"));
            version = add(
                    version, "step_1", "'stepLocationRelativeToParent':'INSIDE_ON_FAILURE_BRANCH',", code("failure"));
            version = add(
                    version, "step_1", "'stepLocationRelativeToParent':'INSIDE_ON_SUCCESS_BRANCH',", code("success"));

            // then
            assertThat(version.steps().steps().stream().map(Step::name))
                    .containsExactly("trigger", "step_1", "success", "failure", "next");
            assertThat(version.steps().freeName()).isEqualTo("step_2");
        }
    }

    @Nested
    class Placements {
        private FlowVersion placed(String parent, String placement) {
            return add(base(), parent, placement, code("new"));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                quoteCharacter = '~',
                value = {
                    "trigger; ''; trigger > new > step_1 > step_2(step_3) > step_4[step_5/null]",
                    "step_1; ''; trigger > step_1 > new > step_2(step_3) > step_4[step_5/null]",
                    "trigger; INSIDE_LOOP; trigger > new > step_1 > step_2(step_3) > step_4[step_5/null]",
                    "trigger; INSIDE_BRANCH; trigger > new > step_1 > step_2(step_3) > step_4[step_5/null]",
                    "step_1; INSIDE_LOOP; trigger > step_1 > new > step_2(step_3) > step_4[step_5/null]",
                    "step_1; INSIDE_BRANCH; trigger > step_1 > new > step_2(step_3) > step_4[step_5/null]",
                    "step_1; AFTER; trigger > step_1 > new > step_2(step_3) > step_4[step_5/null]",
                    "step_1; INSIDE_ON_SUCCESS_BRANCH; trigger > step_1{new|} > step_2(step_3) > step_4[step_5/null]",
                    "step_1; INSIDE_ON_FAILURE_BRANCH; trigger > step_1{|new} > step_2(step_3) > step_4[step_5/null]",
                    "step_2; INSIDE_LOOP; trigger > step_1 > step_2(new > step_3) > step_4[step_5/null]",
                    "step_2; AFTER; trigger > step_1 > step_2(step_3) > new > step_4[step_5/null]",
                    "step_4; AFTER; trigger > step_1 > step_2(step_3) > step_4[step_5/null] > new",
                    "step_3; AFTER; trigger > step_1 > step_2(step_3 > new) > step_4[step_5/null]"
                })
        void putsTheStepWhereTheTableSays(String parent, String placement, String expected) {
            var field = placement.equals("''") ? "" : "'stepLocationRelativeToParent':'" + placement + "',";
            assertThat(show(placed(parent, field))).isEqualTo(expected);
        }

        @ParameterizedTest
        @CsvSource({"0,step_4[new > step_5/null]", "1,step_4[step_5/new]"})
        void putsTheStepIntoTheBranch(int index, String expected) {
            var placement = "'stepLocationRelativeToParent':'INSIDE_BRANCH','branchIndex':" + index + ",";
            assertThat(show(placed("step_4", placement))).endsWith(expected);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "trigger INSIDE_ON_SUCCESS_BRANCH",
                    "trigger INSIDE_ON_FAILURE_BRANCH",
                    "step_2 -",
                    "step_2 INSIDE_BRANCH",
                    "step_2 INSIDE_ON_SUCCESS_BRANCH",
                    "step_4 -",
                    "step_4 INSIDE_BRANCH",
                    "step_4 INSIDE_LOOP",
                    "step_4 INSIDE_ON_FAILURE_BRANCH"
                })
        void refusesPlacesThatTheParentLacks(String row) {
            var parts = row.split(" ");
            var placement = parts[1].equals("-") ? "" : "'stepLocationRelativeToParent':'" + parts[1] + "',";
            refused(ErrorCode.FLOW_OPERATION_INVALID, () -> placed(parts[0], placement));
        }

        @Test
        void changesNothing_belowAParentThatIsNotThere() {
            assertThat(show(placed("nobody", "'stepLocationRelativeToParent':'AFTER',")))
                    .isEqualTo(show(base()));
            assertThat(show(placed("nobody", ""))).isEqualTo(show(base()));
        }

        @ParameterizedTest
        @ValueSource(ints = {-1, 2})
        void refusesABranchIndexOutOfRange(int index) {
            refused(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    () -> placed(
                            "step_4", "'stepLocationRelativeToParent':'INSIDE_BRANCH','branchIndex':" + index + ","));
        }

        @Test
        void givesARouterOneEmptyChildPerBranch() {
            assertThat(show(add(empty(), "trigger", "", router("step_1")))).isEqualTo("trigger > step_1[null/null]");
        }

        @Test
        void refusesAStep_whenItWouldBeNestedTooDeep() {
            // given
            var version = add(empty(), "trigger", "", loop("step_1"));
            for (var depth = 1; depth < StepTree.NESTING_MAX; depth++) {
                version = add(
                        version,
                        "step_" + depth,
                        "'stepLocationRelativeToParent':'INSIDE_LOOP',",
                        loop("step_" + (depth + 1)));
            }
            var deep = add(version, "step_50", "'stepLocationRelativeToParent':'INSIDE_LOOP',", loop("step_51"));

            // then
            refused(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    () -> add(deep, "step_51", "'stepLocationRelativeToParent':'INSIDE_LOOP',", code("step_52")));
        }
    }
}
