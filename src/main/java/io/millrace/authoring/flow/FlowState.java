package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.Flows.FlowWithVersion;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.editor.OperationType;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.StepReferences;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Portable state of a flow between projects: the content of its latest version without dates, samples and other data
 * bound to the project (contract admin-api 11). Two states of equal content have equal JSON.
 *
 * @param id of the flow where the state was taken
 * @param externalId by which flows of different projects are matched
 * @param isPublished true if the flow had a published version
 */
public record FlowState(
        String id, String externalId, FlowStatus status, boolean isPublished, FlowOperation.ImportFlow content) {
    private static final int ID_LENGTH_MAX = 128;
    private static final String INPUT = "input";
    private static final String AUTH = "auth";
    private static final String VERSION = "version";
    private static final String TESTS = "tests";

    /** Replacement for dates of steps, which are meaningless in another project. */
    private static final String UNDATED = "";

    public FlowState {
        content = new FlowOperation.ImportFlow(
                content.displayName(),
                bare(content.steps()),
                content.notes().stream()
                        .map(note -> note.stamped(null, null, null))
                        .toList(),
                content.tests());
    }

    static FlowState of(FlowWithVersion populated, List<FlowTestCase> tests) {
        var flow = populated.flow();
        return new FlowState(
                flow.id(),
                flow.externalId(),
                flow.status(),
                flow.publishedVersionId() != null,
                FlowOperation.ImportFlow.of(populated.version()).with(tests));
    }

    /**
     * Reads a state in any known schema: as {@link #toJson} writes it, or a whole flow as the API shows it.
     *
     * @param place of the state, for refusals
     * @throws io.millrace.base.core.ApiException INVALID_INPUT that names every field in violation
     */
    public static FlowState read(ObjectNode given, String place) {
        var fields = Fields.of(place, given);
        var externalId = fields.text("externalId", 1, ID_LENGTH_MAX);
        var id = fields.optionalText("id").orElse(externalId);
        var status = fields.optionalOption("status", FlowStatus.class).orElse(FlowStatus.DISABLED);
        var isPublished = fields.optionalFlag("published").orElse(!fields.isAbsent("publishedVersionId"));
        fields.object(VERSION);
        fields.done();
        return new FlowState(
                id, externalId, status, isPublished, content((ObjectNode) given.get(VERSION), place + "/" + VERSION));
    }

    private static FlowOperation.ImportFlow content(ObjectNode version, String place) {
        var request = Json.object();
        for (var name : List.of("displayName", "schemaVersion", "trigger", "notes", TESTS)) {
            if (version.has(name)) {
                request.set(name, version.get(name));
            }
        }
        var operation = Json.object().put("type", OperationType.IMPORT_FLOW.name());
        operation.set("request", TemplateFlow.dated(request, UNDATED));
        return (FlowOperation.ImportFlow) TemplateFlow.parsed(operation, place);
    }

    public String displayName() {
        return content.displayName();
    }

    public List<String> connectionIds() {
        return StepReferences.connectionIds(content.steps());
    }

    public FlowState published(FlowStatus otherStatus) {
        return new FlowState(id, externalId, otherStatus, true, content);
    }

    private FlowState with(StepTree steps) {
        return new FlowState(
                id,
                externalId,
                status,
                isPublished,
                new FlowOperation.ImportFlow(content.displayName(), steps, content.notes(), content.tests()));
    }

    /**
     * State to import over an existing flow: a step that exists there with the same piece keeps its connection, because
     * environments have separate connections.
     */
    public FlowState appliedTo(FlowState target) {
        var there = target.content().steps();
        var steps = content.steps();
        var trigger = steps.trigger();
        var applied = steps.with(trigger.with(trigger.base(), applied(trigger, Optional.of(there.trigger()))))
                .change(
                        action -> action instanceof PieceStep,
                        action -> action.with(applied(action, there.find(action.name()))));
        return with(applied);
    }

    private static ObjectNode applied(Step step, Optional<? extends Step> found) {
        var auth = found.filter(other -> other.setting("pieceName").equals(step.setting("pieceName")))
                .map(other -> other.input().path(AUTH).asText(""))
                .filter(text -> !text.isEmpty());
        if (auth.isEmpty() || !(step.settings().get(INPUT) instanceof ObjectNode)) {
            return step.settings();
        }
        var settings = step.settings().deepCopy();
        ((ObjectNode) settings.get(INPUT)).set(AUTH, TextNode.valueOf(auth.get()));
        return settings;
    }

    /** Returns whether name, steps, notes and tests are equal. A state without a list of tests leaves them unchanged. */
    public boolean hasContentOf(FlowState other) {
        var mine = contentJson();
        var others = other.contentJson();
        if (content.tests().isEmpty() || other.content.tests().isEmpty()) {
            mine.remove(TESTS);
            others.remove(TESTS);
        }
        return Arrays.equals(DeepJson.bytes(mine), DeepJson.bytes(others));
    }

    /**
     * Returns whether an existing flow already matches this state. A state with only a draft does not compare the
     * status.
     */
    public boolean isFulfilledBy(FlowState there) {
        return hasContentOf(there) && (!isPublished || there.isPublished && status == there.status);
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("externalId", externalId)
                .put("status", status.name())
                .put("published", isPublished);
        json.set(VERSION, contentJson());
        return json;
    }

    private ObjectNode contentJson() {
        var version = Json.object().put("displayName", content.displayName());
        version.set("trigger", content.steps().toJson());
        version.put("valid", content.steps().isValid()).put("schemaVersion", FlowVersion.SCHEMA_VERSION);
        connectionIds().forEach(version.putArray("connectionIds")::add);
        var notes = version.putArray("notes");
        content.notes().forEach(note -> notes.add(note.toJson()));
        content.tests().ifPresent(tests -> TemplateFlow.putTests(version, tests));
        return version;
    }

    ObjectNode request() {
        var operation = Json.object().put("type", OperationType.IMPORT_FLOW.name());
        operation.set("request", contentJson());
        return operation;
    }

    private static StepTree bare(StepTree tree) {
        var undated = FlowEditor.dated(tree, UNDATED);
        var trigger = undated.trigger();
        return undated.with(trigger.with(trigger.base(), bare(trigger.settings())))
                .change(_ -> true, action -> action.with(bare(action.settings())));
    }

    private static ObjectNode bare(ObjectNode settings) {
        if (!settings.has("sampleData")) {
            return settings;
        }
        var bare = settings.deepCopy();
        bare.remove("sampleData");
        return bare;
    }
}
