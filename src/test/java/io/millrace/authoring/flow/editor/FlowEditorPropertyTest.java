package io.millrace.authoring.flow.editor;

import static io.millrace.authoring.flow.editor.FlowSamples.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.StepReferences;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.support.Seeds;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Property test: the steps of a flow remain a valid tree under thousands of random sequences of all edits. */
class FlowEditorPropertyTest {
    private static final int SEQUENCES = 10_000;
    private static final int EDITS_MAX = 14;

    /** Copies of copies double a tree; small trees show the same failures. */
    private static final int STEPS_MAX = 24;

    private static final Set<OperationType> GROWING = EnumSet.of(
            OperationType.ADD_ACTION,
            OperationType.ADD_BRANCH,
            OperationType.DUPLICATE_ACTION,
            OperationType.DUPLICATE_BRANCH);

    private static final Set<ErrorCode> DOCUMENTED =
            EnumSet.of(ErrorCode.FLOW_OPERATION_INVALID, ErrorCode.ENTITY_NOT_FOUND);

    private static final List<String> PLACEMENTS = List.of(
            "",
            "AFTER",
            "INSIDE_LOOP",
            "INSIDE_ON_SUCCESS_BRANCH",
            "INSIDE_ON_FAILURE_BRANCH",
            "INSIDE_BRANCH",
            "INSIDE_BRANCH");

    @Test
    void keepsTheTreeValid_underAllEdits() {
        var base = FlowSamples.base();
        Seeds.each(SEQUENCES, random -> {
            var version = base;
            for (var count = random.nextInt(1, EDITS_MAX + 1); count > 0; count--) {
                var edited = next(version, random);
                if (edited.isPresent()) {
                    check(edited.get().updated().isAfter(version.updated()), "a time later than before");
                    version = edited.get();
                    checkInvariants(version);
                }
            }
            var text = DeepJson.bytes(version.steps().toJson());
            check(StepTree.stored(DeepJson.trusted(text)).equals(version.steps()), "the same when read back");
        });
    }

    /** The version after some edit; empty if it was rejected. */
    private static Optional<FlowVersion> next(FlowVersion version, Random random) {
        try {
            if (version.state() == VersionState.LOCKED) {
                return Optional.of(FlowEditor.draftOf(version, version.id(), FlowSamples.CONTEXT.after(version)));
            }
            var edit = (FlowOperation.VersionEdit) edit(version, random);
            return Optional.of(FlowEditor.apply(version, edit, FlowSamples.CONTEXT.after(version)));
        } catch (ApiException refusal) {
            if (!DOCUMENTED.contains(refusal.code())) {
                throw refusal;
            }
            return Optional.empty();
        }
    }

    private static FlowOperation edit(FlowVersion version, Random random) {
        var name = anyName(version, random);
        var type = any(OperationType.values(), random);
        var isFull = version.steps().steps().size() > STEPS_MAX;
        return switch (isFull && GROWING.contains(type) ? OperationType.DELETE_ACTION : type) {
            case DELETE_ACTION ->
                operation(OperationType.DELETE_ACTION, Json.object().set("names", names(name)));
            case ADD_ACTION -> added(version, name, random);
            case UPDATE_ACTION -> operation(OperationType.UPDATE_ACTION, updated(version, name, random));
            case UPDATE_TRIGGER -> operation(OperationType.UPDATE_TRIGGER, trigger(random));
            case MOVE_ACTION -> moved(version, name, random);
            case DUPLICATE_ACTION ->
                operation(OperationType.DUPLICATE_ACTION, Json.object().put("stepName", name));
            case SET_SKIP_ACTION -> {
                var request = Json.object().put("skip", random.nextBoolean());
                yield operation(OperationType.SET_SKIP_ACTION, request.set("names", names(name, "nobody")));
            }
            case ADD_BRANCH ->
                operation(OperationType.ADD_BRANCH, branch(name, random).put("branchName", "B"));
            case DELETE_BRANCH -> operation(OperationType.DELETE_BRANCH, branch(name, random));
            case DUPLICATE_BRANCH -> operation(OperationType.DUPLICATE_BRANCH, branch(name, random));
            case MOVE_BRANCH -> {
                var request = Json.object().put("stepName", name).put("sourceBranchIndex", random.nextInt(-1, 4));
                yield operation(OperationType.MOVE_BRANCH, request.put("targetBranchIndex", random.nextInt(-1, 4)));
            }
            case IMPORT_FLOW -> imported(version);
            case USE_AS_DRAFT -> FlowOperation.ImportFlow.of(version);
            case SAVE_SAMPLE_DATA ->
                new FlowOperation.RecordSampleData(name, any(FlowOperation.SampleDataType.values(), random), "file");
            case UPDATE_SAMPLE_DATA_INFO -> {
                var request = Json.object().put("stepName", name);
                request.set("sampleDataSettings", random.nextBoolean() ? null : json("{'sampleDataFileId':'f'}"));
                yield operation(OperationType.UPDATE_SAMPLE_DATA_INFO, request);
            }
            case LOCK_FLOW -> new FlowOperation.LockFlow();
            case ADD_NOTE -> operation(OperationType.ADD_NOTE, note(random));
            case UPDATE_NOTE -> operation(OperationType.UPDATE_NOTE, note(random));
            case DELETE_NOTE -> new FlowOperation.DeleteNote("note_" + random.nextInt(3));
            case CHANGE_NAME,
                    CHANGE_FOLDER,
                    CHANGE_STATUS,
                    LOCK_AND_PUBLISH,
                    UPDATE_METADATA,
                    UPDATE_MINUTES_SAVED,
                    UPDATE_OWNER -> new FlowOperation.ChangeName("name " + random.nextInt(9));
        };
    }

    private static FlowOperation operation(OperationType type, ObjectNode request) {
        return FlowOperation.parse(Json.object().put("type", type.name()).set("request", request));
    }

    private static FlowOperation added(FlowVersion version, String parent, Random random) {
        var request = Json.object().put("parentStep", parent);
        place(request, "stepLocationRelativeToParent", random);
        request.set("action", action(version.steps().freeName(), random));
        return operation(OperationType.ADD_ACTION, request);
    }

    private static FlowOperation moved(FlowVersion version, String name, Random random) {
        var request = Json.object().put("name", name).put("newParentStep", anyName(version, random));
        place(request, "stepLocationRelativeToNewParent", random);
        return operation(OperationType.MOVE_ACTION, request);
    }

    private static void place(ObjectNode request, String field, Random random) {
        var placement = any(PLACEMENTS.toArray(String[]::new), random);
        if (!placement.isEmpty()) {
            request.put(field, placement);
        }
        if (random.nextInt(8) > 0) {
            request.put("branchIndex", random.nextInt(-1, 4));
        }
    }

    private static ObjectNode branch(String name, Random random) {
        return Json.object().put("stepName", name).put("branchIndex", random.nextInt(-1, 4));
    }

    /** UPDATE_ACTION may separate branches and children (4.7): a router only gets as many branches as it has. */
    private static ObjectNode updated(FlowVersion version, String name, Random random) {
        var action = action(name, random);
        var isUneven = version.steps().find(name).orElseThrow() instanceof RouterStep router
                && router.branches().size() != 2
                && action.path("type").asText().equals("ROUTER");
        return isUneven ? json(FlowSamples.code(name)) : action;
    }

    private static ObjectNode action(String name, Random random) {
        var action = json(
                switch (random.nextInt(4)) {
                    case 0 -> FlowSamples.code(name);
                    case 1 -> FlowSamples.loop(name);
                    case 2 -> FlowSamples.piece(name, "~1.2.3", "{'auth':'{{connections.x}}','a':'{{step_1.output}}'}");
                    default -> FlowSamples.router(name);
                });
        return action.put("valid", random.nextInt(4) > 0);
    }

    private static ObjectNode trigger(Random random) {
        return random.nextBoolean()
                ? json(FlowSamples.pieceTrigger("{}"))
                : json(FlowSamples.step("trigger", "EMPTY", "{}"));
    }

    private static FlowOperation imported(FlowVersion version) {
        var request = Json.object().put("displayName", "imported").put("schemaVersion", "22");
        request.set("trigger", version.steps().toJson());
        return operation(OperationType.IMPORT_FLOW, request);
    }

    private static ObjectNode note(Random random) {
        return json("{'id':'note_" + random.nextInt(3)
                + "','content':'c','position':{'x':1,'y':1},'size':{'width':1,'height':1}}");
    }

    private static ArrayNode names(String... names) {
        var list = Json.array();
        List.of(names).forEach(list::add);
        return list;
    }

    private static String anyName(FlowVersion version, Random random) {
        var steps = version.steps().steps();
        return steps.get(random.nextInt(steps.size())).name();
    }

    private static <T> T any(T[] choices, Random random) {
        return choices[random.nextInt(choices.length)];
    }

    private static void checkInvariants(FlowVersion version) {
        var tree = version.steps();
        var steps = tree.steps();
        check(tree.names().size() == steps.size(), "names that are unique");
        check(steps.getFirst().name().equals("trigger"), "the trigger first");
        check(version.valid() == tree.isValid(), "a flag valid that follows from the steps");
        check(version.connectionIds().equals(StepReferences.connectionIds(tree)), "connections of the steps");
        for (var step : steps) {
            check(step.base().lastUpdatedDate() != null, "a date on " + step.name());
            check(step.settings().path("pieceVersion").asText("1.2.3").equals("1.2.3"), "an exact version");
            if (step instanceof RouterStep router) {
                check(router.children().size() == router.branches().size(), "a child for each branch");
            }
        }
    }

    private static void check(boolean holds, String expected) {
        if (!holds) {
            throw new AssertionError("expected " + expected);
        }
    }
}
