package io.millrace.authoring.flow.editor;

import static io.millrace.authoring.flow.editor.FlowSamples.add;
import static io.millrace.authoring.flow.editor.FlowSamples.apply;
import static io.millrace.authoring.flow.editor.FlowSamples.base;
import static io.millrace.authoring.flow.editor.FlowSamples.branchNames;
import static io.millrace.authoring.flow.editor.FlowSamples.code;
import static io.millrace.authoring.flow.editor.FlowSamples.empty;
import static io.millrace.authoring.flow.editor.FlowSamples.loop;
import static io.millrace.authoring.flow.editor.FlowSamples.piece;
import static io.millrace.authoring.flow.editor.FlowSamples.pieceTrigger;
import static io.millrace.authoring.flow.editor.FlowSamples.refused;
import static io.millrace.authoring.flow.editor.FlowSamples.router;
import static io.millrace.authoring.flow.editor.FlowSamples.settings;
import static io.millrace.authoring.flow.editor.FlowSamples.show;
import static io.millrace.authoring.flow.editor.FlowSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.version.Note;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.base.core.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Changes that editor operations make to a step and its version. */
class FlowEditorChangeTest {
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
        void givesARouterOneChildPerBranch_whenItIsMovedOrCopied() {
            // given
            var fallback = "{'branchType':'FALLBACK','branchName':'F'}";
            var condition = "{'branchType':'CONDITION','branchName':'C','conditions':[]},";
            var fewer = apply(base(), "UPDATE_ACTION", routerOf(fallback));
            var more = apply(base(), "UPDATE_ACTION", routerOf(condition + condition + fallback));
            var move = "{'name':'step_4','newParentStep':'trigger','stepLocationRelativeToNewParent':'AFTER'}";

            // then
            assertThat(show(apply(fewer, "MOVE_ACTION", move))).startsWith("trigger > step_4[step_5] > step_1");
            assertThat(show(apply(more, "MOVE_ACTION", move)))
                    .startsWith("trigger > step_4[step_5/null/null] > step_1");
            assertThat(show(apply(fewer, "DUPLICATE_ACTION", "{'stepName':'step_4'}")))
                    .endsWith("step_4[step_5/null] > step_6[step_7]");
            assertThat(show(apply(more, "DUPLICATE_ACTION", "{'stepName':'step_4'}")))
                    .endsWith("step_6[step_7/null/null]");
        }

        private String routerOf(String branches) {
            return step("step_4", "ROUTER", "{'executionType':'EXECUTE_ALL_MATCH','branches':[" + branches + "]}");
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
