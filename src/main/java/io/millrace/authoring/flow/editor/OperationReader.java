package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.Placement;
import io.millrace.authoring.flow.step.RouterSchema;
import io.millrace.authoring.flow.step.StepSchema;
import io.millrace.authoring.flow.version.NoteReader;
import io.millrace.authoring.flow.version.StepReader;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.Set;

/** Reads operations (contract flows-and-engine 4.1, 4.2). */
final class OperationReader {
    private static final String PLACE = "body/request";
    private static final Set<String> STEP_FIELDS = Set.of("action", "trigger");

    private OperationReader() {}

    static FlowOperation read(JsonNode body) {
        var top = Fields.of("body", body);
        if (!top.isSound()) {
            top.done();
        }
        var type = top.option("type", OperationType.class);
        top.object("request");
        top.done();
        var given = (ObjectNode) body.path("request");
        var current = type == OperationType.IMPORT_FLOW ? ImportReader.upgraded(given) : given;
        var request = Fields.of(PLACE, cleaned(current)).neverNull();
        var operation = read(type, request, current);
        request.done();
        return operation;
    }

    /** A copy without NUL characters; steps lose their links, which are read from the original. */
    private static ObjectNode cleaned(ObjectNode request) {
        var fields = Json.object();
        var steps = Json.object();
        request.properties().forEach(field -> {
            if (STEP_FIELDS.contains(field.getKey())) {
                steps.set(field.getKey(), StepReader.prepared(field.getValue()));
            } else {
                fields.set(field.getKey(), field.getValue());
            }
        });
        return ((ObjectNode) StepReader.prepared(fields)).setAll(steps);
    }

    private static FlowOperation read(OperationType type, Fields request, ObjectNode original) {
        return switch (type) {
            case CHANGE_NAME -> new FlowOperation.ChangeName(request.text("displayName"));
            case CHANGE_FOLDER ->
                new FlowOperation.ChangeFolder(request.orNull().changedText("folderId"));
            case CHANGE_STATUS -> new FlowOperation.ChangeStatus(request.option("status", FlowStatus.class));
            case LOCK_FLOW -> new FlowOperation.LockFlow();
            case LOCK_AND_PUBLISH ->
                new FlowOperation.LockAndPublish(request.optionalOption("status", FlowStatus.class));
            case USE_AS_DRAFT -> new FlowOperation.UseAsDraft(request.text("versionId"));
            case IMPORT_FLOW -> ImportReader.read(request, original);
            case UPDATE_TRIGGER -> new FlowOperation.UpdateTrigger(StepReader.trigger(request));
            case ADD_ACTION -> addAction(request);
            case UPDATE_ACTION -> new FlowOperation.UpdateAction(StepReader.action(request));
            case DELETE_ACTION -> new FlowOperation.DeleteAction(request.requiredTexts("names"));
            case MOVE_ACTION -> moveAction(request);
            case DUPLICATE_ACTION -> new FlowOperation.DuplicateAction(request.text("stepName"));
            case SET_SKIP_ACTION ->
                new FlowOperation.SetSkipAction(request.requiredTexts("names"), request.flag("skip"));
            case ADD_BRANCH, DELETE_BRANCH, DUPLICATE_BRANCH, MOVE_BRANCH -> branchOperation(type, request);
            case SAVE_SAMPLE_DATA -> saveSampleData(request);
            case UPDATE_SAMPLE_DATA_INFO -> sampleDataInfo(request);
            case UPDATE_METADATA ->
                new FlowOperation.UpdateMetadata(request.orNull().changedObject("metadata"));
            case UPDATE_MINUTES_SAVED ->
                new FlowOperation.UpdateMinutesSaved(request.orNull().changedNumber("timeSavedPerRun"));
            case UPDATE_OWNER -> new FlowOperation.UpdateOwner(request.text("ownerId"));
            case ADD_NOTE -> new FlowOperation.AddNote(NoteReader.note(request));
            case UPDATE_NOTE ->
                new FlowOperation.UpdateNote(
                        NoteReader.note(request),
                        !request.isAbsent("color"),
                        request.orNull().changedText("ownerId"));
            case DELETE_NOTE -> new FlowOperation.DeleteNote(request.text("id"));
        };
    }

    private static FlowOperation addAction(Fields request) {
        var parent = request.text("parentStep");
        var placement = request.optionalOption("stepLocationRelativeToParent", Placement.class);
        var branchIndex = request.optionalInteger("branchIndex", Integer.MIN_VALUE, Integer.MAX_VALUE);
        if (!request.raw("action").isObject()) {
            request.object("action");
            throw refused(request);
        }
        var action = StepReader.action(request.inner("action"));
        return new FlowOperation.AddAction(parent, placement.orElse(null), branchIndex.orElse(null), action);
    }

    private static FlowOperation moveAction(Fields request) {
        return new FlowOperation.MoveAction(
                request.text("name"),
                request.text("newParentStep"),
                request.optionalOption("stepLocationRelativeToNewParent", Placement.class)
                        .orElse(null),
                request.optionalInteger("branchIndex", Integer.MIN_VALUE, Integer.MAX_VALUE)
                        .orElse(null));
    }

    private static FlowOperation branchOperation(OperationType type, Fields request) {
        var stepName = request.text("stepName");
        if (type == OperationType.MOVE_BRANCH) {
            return new FlowOperation.MoveBranch(
                    stepName, index(request, "sourceBranchIndex"), index(request, "targetBranchIndex"));
        }
        var branchIndex = index(request, "branchIndex");
        if (type == OperationType.DELETE_BRANCH) {
            return new FlowOperation.DeleteBranch(stepName, branchIndex);
        }
        if (type == OperationType.DUPLICATE_BRANCH) {
            return new FlowOperation.DuplicateBranch(stepName, branchIndex);
        }
        var conditions = request.isAbsent("conditions") ? null : RouterSchema.conditions(request);
        return new FlowOperation.AddBranch(stepName, branchIndex, request.text("branchName"), conditions);
    }

    private static FlowOperation saveSampleData(Fields request) {
        return new FlowOperation.SaveSampleData(
                request.text("stepName"),
                request.option("type", FlowOperation.SampleDataType.class),
                request.raw("payload"));
    }

    private static FlowOperation sampleDataInfo(Fields request) {
        var stepName = request.text("stepName");
        var fileIds = request.orNull()
                .optionalObject("sampleDataSettings")
                .map(_ -> StepSchema.sampleDataOf(request.inner("sampleDataSettings")));
        return new FlowOperation.UpdateSampleDataInfo(stepName, fileIds);
    }

    private static int index(Fields request, String name) {
        if (request.isAbsent(name)) {
            request.refuse(
                    name, "Invalid input: expected number, received " + (request.has(name) ? "null" : "undefined"));
        }
        return request.optionalInteger(name, Integer.MIN_VALUE, Integer.MAX_VALUE)
                .orElse(0);
    }

    /** Ends parsing early where further errors would only repeat the violation. */
    static ApiException refused(Fields request) {
        try {
            request.done();
        } catch (ApiException refusal) {
            return refusal;
        }
        throw new IllegalStateException("a valid request was rejected");
    }
}
