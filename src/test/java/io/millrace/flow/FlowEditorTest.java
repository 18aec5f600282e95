package io.millrace.flow;

import static io.millrace.flow.FlowSamples.add;
import static io.millrace.flow.FlowSamples.apply;
import static io.millrace.flow.FlowSamples.base;
import static io.millrace.flow.FlowSamples.branchNames;
import static io.millrace.flow.FlowSamples.code;
import static io.millrace.flow.FlowSamples.empty;
import static io.millrace.flow.FlowSamples.loop;
import static io.millrace.flow.FlowSamples.piece;
import static io.millrace.flow.FlowSamples.pieceTrigger;
import static io.millrace.flow.FlowSamples.router;
import static io.millrace.flow.FlowSamples.settings;
import static io.millrace.flow.FlowSamples.show;
import static io.millrace.flow.FlowSamples.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree operations of contract flows-and-engine 4 and 34.1. */
class FlowEditorTest {
    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

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
                    "trigger; INSIDE_LOOP; trigger > new > step_1 > step_2(step_3) > step_4[step_5/null]",
                    "step_1; ''; trigger > step_1 > new > step_2(step_3) > step_4[step_5/null]",
                    "step_1; AFTER; trigger > step_1 > new > step_2(step_3) > step_4[step_5/null]",
                    "step_1; INSIDE_LOOP; trigger > step_1 > new > step_2(step_3) > step_4[step_5/null]",
                    "step_1; INSIDE_BRANCH; trigger > step_1 > new > step_2(step_3) > step_4[step_5/null]",
                    "step_1; INSIDE_ON_SUCCESS_BRANCH; trigger > step_1{new|} > step_2(step_3) > step_4[step_5/null]",
                    "step_1; INSIDE_ON_FAILURE_BRANCH; trigger > step_1{|new} > step_2(step_3) > step_4[step_5/null]",
                    "step_2; INSIDE_LOOP; trigger > step_1 > step_2(new > step_3) > step_4[step_5/null]",
                    "step_2; AFTER; trigger > step_1 > step_2(step_3) > new > step_4[step_5/null]",
                    "step_4; AFTER; trigger > step_1 > step_2(step_3) > step_4[step_5/null] > new",
                    "step_3; AFTER; trigger > step_1 > step_2(step_3 > new) > step_4[step_5/null]",
                    "nobody; AFTER; trigger > step_1 > step_2(step_3) > step_4[step_5/null]"
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

    @Nested
    class Updates {
        @Test
        void dropsChildren_whenARouterBecomesALoop() {
            assertThat(show(apply(base(), "UPDATE_ACTION", loop("step_4")))).endsWith("step_4(-)");
        }

        @Test
        void dropsTheBody_whenALoopBecomesARouter() {
            assertThat(show(apply(base(), "UPDATE_ACTION", router("step_2"))))
                    .isEqualTo("trigger > step_1 > step_2[null/null] > step_4[step_5/null]");
        }

        @Test
        void keepsTheNumberOfChildren_whenBranchesChange() {
            // when
            var one = apply(
                    base(),
                    "UPDATE_ACTION",
                    step(
                            "step_4",
                            "ROUTER",
                            "{'executionType':'EXECUTE_ALL_MATCH','branches':[{'branchType':'FALLBACK','branchName':'F'}]}"));

            // then
            assertThat(show(one)).endsWith("step_4[step_5/null]");
            assertThat(branchNames(one, "step_4")).containsExactly("F");
        }

        @Test
        void keepsTheBody_whenALoopStaysALoop() {
            assertThat(show(apply(base(), "UPDATE_ACTION", loop("step_2")))).isEqualTo(show(base()));
        }

        @Test
        void keepsErrorBranches_whenCodeBecomesAPiece_andDropsThem_whenItBecomesALoop() {
            // given
            var version = add(
                    base(), "step_1", "'stepLocationRelativeToParent':'INSIDE_ON_FAILURE_BRANCH',", code("failure"));

            // then
            assertThat(show(apply(version, "UPDATE_ACTION", piece("step_1", "1.0.0", "{}"))))
                    .startsWith("trigger > step_1{|failure} > step_2");
            assertThat(show(apply(version, "UPDATE_ACTION", loop("step_1"))))
                    .startsWith("trigger > step_1(-) > step_2");
        }

        @Test
        void changesNothing_whenTheNameIsUnknown() {
            assertThat(show(apply(base(), "UPDATE_ACTION", code("nobody")))).isEqualTo(show(base()));
        }

        @Test
        void refusesTheTrigger_whenAnActionIsUpdated() {
            refused(ErrorCode.FLOW_OPERATION_INVALID, () -> apply(base(), "UPDATE_ACTION", code("trigger")));
        }

        @Test
        void keepsSampleData_unlessTheTypeChanges() {
            // given
            var tested = apply(
                    base(),
                    "UPDATE_SAMPLE_DATA_INFO",
                    "{'stepName':'step_1','sampleDataSettings':{'sampleDataFileId':'file1'}}");

            // when
            var same = apply(tested, "UPDATE_ACTION", code("step_1"));
            var other = apply(tested, "UPDATE_ACTION", piece("step_1", "1.0.0", "{}"));

            // then
            assertThat(settings(same, "step_1")
                            .path("sampleData")
                            .path("sampleDataFileId")
                            .asText())
                    .isEqualTo("file1");
            assertThat(settings(other, "step_1").has("sampleData")).isFalse();
        }

        @Test
        void answersNotFound_whenNoStepHasTheNameOfTheTrigger() {
            refused(
                    ErrorCode.ENTITY_NOT_FOUND,
                    () -> apply(base(), "UPDATE_TRIGGER", pieceTrigger("{}").replace("'trigger'", "'nobody'")));
        }

        @Test
        void refusesAnAction_whenTheTriggerIsUpdated() {
            refused(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    () -> apply(base(), "UPDATE_TRIGGER", pieceTrigger("{}").replace("'trigger'", "'step_1'")));
        }

        @Test
        void keepsActionsAndSampleData_whenThePieceTriggerChanges() {
            // given
            var version = apply(base(), "UPDATE_TRIGGER", pieceTrigger("{'a':1}"));
            var tested = apply(
                    version,
                    "UPDATE_SAMPLE_DATA_INFO",
                    "{'stepName':'trigger','sampleDataSettings':{'sampleDataFileId':'file1'}}");

            // when
            var edited = apply(tested, "UPDATE_TRIGGER", pieceTrigger("{'b':2}"));

            // then
            assertThat(show(edited)).isEqualTo(show(base()));
            var sample = settings(edited, "trigger").path("sampleData");
            assertThat(sample.path("sampleDataFileId").asText()).isEqualTo("file1");
            assertThat(sample.path("lastTestDate").asText()).isEqualTo(FlowSamples.NOW_TEXT);
            assertThat(settings(edited, "trigger").path("input").path("b").asInt())
                    .isEqualTo(2);
        }

        @Test
        void makesTheVersionValid_whenTheOnlyInvalidActionIsSkipped() {
            // given
            var version = apply(base(), "UPDATE_TRIGGER", pieceTrigger("{}"));
            var invalid = apply(version, "UPDATE_ACTION", code("step_1").replace("'valid':true", "'valid':false"));
            assertThat(invalid.valid()).isFalse();

            // when
            var skipped = apply(invalid, "SET_SKIP_ACTION", "{'names':['step_1'],'skip':true}");

            // then
            assertThat(skipped.valid()).isTrue();
            assertThat(apply(skipped, "SET_SKIP_ACTION", "{'names':['step_1'],'skip':false}")
                            .valid())
                    .isFalse();
        }

        @Test
        void keepsTheVersionInvalid_whenTheTriggerIsEmpty() {
            assertThat(base().valid()).isFalse();
        }
    }

    @Nested
    class CommonEffects {
        @Test
        void recordsWhoAndWhen() {
            // when
            var renamed = apply(empty(), "CHANGE_NAME", "{'displayName':'Other'}");
            var byKey = FlowEditor.apply(
                    renamed, new FlowOperation.ChangeName("Third"), new FlowEditor.Context(FlowSamples.NOW, null));

            // then
            assertThat(renamed.displayName()).isEqualTo("Other");
            assertThat(renamed.updated()).isEqualTo(FlowSamples.NOW);
            assertThat(renamed.updatedBy()).isEqualTo(FlowSamples.CONTEXT.user());
            assertThat(byKey.updatedBy()).isEqualTo(FlowSamples.CONTEXT.user());
        }

        @Test
        void collectsConnectionsAndAgents() {
            // given
            var one = piece("step_1", "1.0.0", "{'auth':'{{connections[`one`]}}'}")
                    .replace("`", "\\\"");
            var list = piece("step_2", "1.0.0", "{'auth':'{{connections[`two`,`one`]}}'}")
                    .replace("`", "\\\"");
            var agent = piece("step_3", "1.0.0", "{'agentId':'agent1'}").replace("piece-x", "piece-ai");

            // when
            var version = add(add(add(empty(), "trigger", "", agent), "trigger", "", list), "trigger", "", one);

            // then
            assertThat(version.connectionIds()).containsExactly("one", "two");
            assertThat(version.agentIds()).containsExactly("agent1");
        }

        @Test
        void stripsNulCharacters() {
            // given
            var action = code("step_1").replace("The step_1", "The\\u0000 step").replace("'x'", "'a\\u0000b'");

            // when
            var version = add(empty(), "trigger", "", action);

            // then
            assertThat(version.steps().find("step_1").orElseThrow().displayName())
                    .isEqualTo("The step");
            assertThat(settings(version, "step_1")
                            .path("sourceCode")
                            .path("code")
                            .asText())
                    .isEqualTo("ab");
        }

        @Test
        void refusesTreeEditsOfALockedVersion_butNotNotes() {
            // given
            var locked = apply(base(), "LOCK_FLOW", "{}");

            // then
            assertThat(locked.state()).isEqualTo(VersionState.LOCKED);
            refused(ErrorCode.FLOW_OPERATION_INVALID, () -> apply(locked, "CHANGE_NAME", "{'displayName':'x'}"));
            assertThat(apply(locked, "DELETE_NOTE", "{'id':'n'}").notes()).isEmpty();
        }

        @Test
        void copiesEverythingIntoTheDraftOfALockedVersion() {
            // given
            var triggered = apply(base(), "UPDATE_TRIGGER", pieceTrigger("{}"));
            var tested = apply(
                    triggered,
                    "UPDATE_SAMPLE_DATA_INFO",
                    "{'stepName':'trigger','sampleDataSettings':{'sampleDataFileId':'file1'}}");
            var locked = apply(tested, "LOCK_FLOW", "{}");

            // when
            var draft = FlowEditor.draftOf(locked, "version00000000000002", FlowSamples.CONTEXT);

            // then
            assertThat(show(draft)).isEqualTo(show(locked));
            assertThat(draft.state()).isEqualTo(VersionState.DRAFT);
            assertThat(draft.valid()).isTrue();
            assertThat(settings(draft, "trigger")
                            .path("sampleData")
                            .path("sampleDataFileId")
                            .asText())
                    .isEqualTo("file1");
        }

        @Test
        void keepsTheOtherSample_whenOneSideIsRecorded() {
            // given
            var tested = apply(
                    base(),
                    "UPDATE_SAMPLE_DATA_INFO",
                    "{'stepName':'step_1','sampleDataSettings':{'sampleDataFileId':'file1'}}");

            // when
            var recorded = FlowEditor.apply(
                    tested,
                    new FlowOperation.RecordSampleData("step_1", FlowOperation.SampleDataType.INPUT, "file2"),
                    FlowSamples.CONTEXT);
            var cleared = apply(recorded, "UPDATE_SAMPLE_DATA_INFO", "{'stepName':'step_1'}");

            // then
            var sample = settings(recorded, "step_1").path("sampleData");
            assertThat(sample.path("sampleDataFileId").asText()).isEqualTo("file1");
            assertThat(sample.path("sampleDataInputFileId").asText()).isEqualTo("file2");
            assertThat(settings(cleared, "step_1").has("sampleData")).isFalse();
        }
    }

    @Nested
    class Notes {
        private static final String NOTE =
                "{'id':'n1','content':'hello','position':{'x':1,'y':2.5},'size':{'width':3,'height':4}}";

        @Test
        void ownsAndDatesANewNote() {
            // when
            var note = apply(empty(), "ADD_NOTE", NOTE).notes().getFirst();

            // then
            assertThat(note.ownerId()).isEqualTo(FlowSamples.CONTEXT.user());
            assertThat(note.createdAt()).isEqualTo(FlowSamples.NOW_TEXT);
            assertThat(note.color()).isEqualTo(Note.Color.BLUE);
            assertThat(Note.stored(note.toJson())).isEqualTo(note);
        }

        @Test
        void mergesIntoTheStoredNote() {
            // given
            var version = apply(empty(), "ADD_NOTE", NOTE.replace("'hello'", "'hello','color':'red'"));

            // when
            var updated = apply(version, "UPDATE_NOTE", NOTE.replace("hello", "bye"));

            // then
            assertThat(updated.notes()).singleElement().satisfies(note -> {
                assertThat(note.content()).isEqualTo("bye");
                assertThat(note.color()).isEqualTo(Note.Color.RED);
                assertThat(note.ownerId()).isEqualTo(FlowSamples.CONTEXT.user());
            });
            assertThat(apply(updated, "UPDATE_NOTE", NOTE.replace("n1", "n2")).notes())
                    .hasSize(1);
            assertThat(apply(updated, "DELETE_NOTE", "{'id':'n1'}").notes()).isEmpty();
        }
    }

    @Test
    void answersEachNameOnce_whenNamesAreListed() {
        assertThat(base().steps().names())
                .containsExactlyInAnyOrderElementsOf(
                        List.of("trigger", "step_1", "step_2", "step_3", "step_4", "step_5"));
    }
}
