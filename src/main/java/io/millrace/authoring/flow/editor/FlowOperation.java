package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.Placement;
import io.millrace.authoring.flow.step.TriggerStep;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.Note;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.input.FieldChange;
import java.util.List;
import java.util.Optional;

/**
 * Operations on a flow (contract flows-and-engine 3.6, 4), grouped by their target. {@link #parse} checks the form of a
 * request; the editor checks it against the flow.
 */
public sealed interface FlowOperation {
    /**
     * Parses {@code {type, request}}. Links, sample data and unknown keys are dropped; NUL characters are stripped.
     *
     * @throws io.millrace.base.core.ApiException INVALID_INPUT that names every field in violation
     */
    static FlowOperation parse(JsonNode body) {
        return OperationReader.read(body);
    }

    /** Changes only a version: the editor returns the next version. */
    sealed interface VersionEdit extends FlowOperation {}

    /** Changes a draft; a new draft is created first when the latest version is locked. */
    sealed interface TreeEdit extends VersionEdit {}

    /** Changes the notes of the latest version, locked or not. */
    sealed interface NoteEdit extends VersionEdit {}

    /** Changes the flow's own row. */
    sealed interface FlowEdit extends FlowOperation {}

    /** Changes the activation of a flow; needs the permission UPDATE_FLOW_STATUS. */
    sealed interface Publishing extends FlowOperation {}

    /** Changes a draft after a read or write of stored data, which converts it to a {@link TreeEdit}. */
    sealed interface StoredEdit extends FlowOperation {}

    record ChangeName(String displayName) implements TreeEdit {}

    /** Locks the draft without publishing it. */
    record LockFlow() implements TreeEdit {}

    /**
     * Replaces everything (4.13).
     *
     * @param steps steps, whose dates are replaced
     * @param tests replacement of the tests of the flow; empty leaves them unchanged
     */
    record ImportFlow(String displayName, StepTree steps, List<Note> notes, Optional<List<FlowTestCase>> tests)
            implements TreeEdit {
        public ImportFlow {
            notes = List.copyOf(notes);
            tests = tests.map(List::copyOf);
        }

        public ImportFlow(String displayName, StepTree steps, List<Note> notes) {
            this(displayName, steps, notes, Optional.empty());
        }

        public ImportFlow with(List<FlowTestCase> otherTests) {
            return new ImportFlow(displayName, steps, notes, Optional.of(otherTests));
        }

        /** Operation that makes a draft equal to another version (3.6, 4.14). */
        public static ImportFlow of(FlowVersion version) {
            return new ImportFlow(version.displayName(), version.steps(), version.notes());
        }
    }

    record UpdateTrigger(TriggerStep trigger) implements TreeEdit {}

    /**
     * Adds a new step (4.6).
     *
     * @param placement null when absent
     * @param branchIndex null when absent
     */
    record AddAction(String parentStep, Placement placement, Integer branchIndex, ActionStep action)
            implements TreeEdit {}

    record UpdateAction(ActionStep action) implements TreeEdit {}

    record DeleteAction(List<String> names) implements TreeEdit {
        public DeleteAction {
            names = List.copyOf(names);
        }
    }

    /**
     * Moves an existing step (4.9).
     *
     * @param placement null when absent
     * @param branchIndex null when absent
     */
    record MoveAction(String name, String newParentStep, Placement placement, Integer branchIndex)
            implements TreeEdit {}

    record DuplicateAction(String stepName) implements TreeEdit {}

    record SetSkipAction(List<String> names, boolean skip) implements TreeEdit {
        public SetSkipAction {
            names = List.copyOf(names);
        }
    }

    /**
     * Adds a branch (4.12).
     *
     * @param conditions null for the one empty condition
     */
    record AddBranch(String stepName, int branchIndex, String branchName, ArrayNode conditions) implements TreeEdit {}

    record DeleteBranch(String stepName, int branchIndex) implements TreeEdit {}

    record DuplicateBranch(String stepName, int branchIndex) implements TreeEdit {}

    record MoveBranch(String stepName, int sourceBranchIndex, int targetBranchIndex) implements TreeEdit {}

    /**
     * Sets the samples of a step's last test (4.17).
     *
     * @param fileIds {@code {sampleDataFileId?, sampleDataInputFileId?}}, or empty to clear
     */
    record UpdateSampleDataInfo(String stepName, Optional<ObjectNode> fileIds) implements TreeEdit {}

    /** The second half of SAVE_SAMPLE_DATA: records the stored file; the file of the other side is unchanged (4.17). */
    record RecordSampleData(String stepName, SampleDataType dataType, String fileId) implements TreeEdit {}

    record AddNote(Note note) implements NoteEdit {}

    /**
     * Changes a note (4.18).
     *
     * @param note owner and dates are ignored
     * @param colorGiven true if the request has a color; otherwise the stored one is kept
     */
    record UpdateNote(Note note, boolean colorGiven, FieldChange<String> ownerId) implements NoteEdit {}

    record DeleteNote(String id) implements NoteEdit {}

    record ChangeFolder(FieldChange<String> folderId) implements FlowEdit {}

    record UpdateMetadata(FieldChange<ObjectNode> metadata) implements FlowEdit {}

    record UpdateMinutesSaved(FieldChange<Double> timeSavedPerRun) implements FlowEdit {}

    record UpdateOwner(String ownerId) implements FlowEdit {}

    record ChangeStatus(FlowStatus status) implements Publishing {}

    /** Publishes the latest version (4.16). */
    record LockAndPublish(Optional<FlowStatus> status) implements Publishing {}

    /** Restores another version of the flow as the draft: becomes {@link ImportFlow#of}. */
    record UseAsDraft(String versionId) implements StoredEdit {}

    /** Stores a payload as a file: becomes {@link RecordSampleData}. */
    record SaveSampleData(String stepName, SampleDataType dataType, JsonNode payload) implements StoredEdit {
        public RecordSampleData recordedAs(String fileId) {
            return new RecordSampleData(stepName, dataType, fileId);
        }
    }

    enum SampleDataType {
        INPUT,
        OUTPUT;

        public String setting() {
            return this == INPUT ? "sampleDataInputFileId" : "sampleDataFileId";
        }
    }
}
