package io.millrace.authoring.flow.editor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Samples for tests: operations from JSON with single quotes, and trees in the notation of contract 34.1. */
public final class FlowSamples {
    public static final Instant CREATED = Instant.parse("2026-01-05T10:20:30.123Z");
    public static final Instant NOW = Instant.parse("2026-02-01T00:00:00Z");
    static final String NOW_TEXT = "2026-02-01T00:00:00.000Z";
    static final FlowEditor.Context CONTEXT = new FlowEditor.Context(NOW, "user0000000000000user");

    private FlowSamples() {}

    public static ObjectNode json(String singleQuoted) {
        return (ObjectNode) Json.trusted(singleQuoted.replace('\'', '"'));
    }

    public static FlowVersion empty() {
        return FlowVersion.empty("version00000000000001", "flow00000000000000001", "My flow", CREATED);
    }

    /** trigger > step_1:CODE > step_2:LOOP(step_3:CODE) > step_4:ROUTER[step_5:CODE/null] */
    public static FlowVersion base() {
        var version = empty();
        version = add(version, "trigger", "", code("step_1"));
        version = add(version, "step_1", "", loop("step_2"));
        version = add(version, "step_2", "'stepLocationRelativeToParent':'INSIDE_LOOP',", code("step_3"));
        version = add(version, "step_2", "'stepLocationRelativeToParent':'AFTER',", router("step_4"));
        return add(
                version, "step_4", "'stepLocationRelativeToParent':'INSIDE_BRANCH','branchIndex':0,", code("step_5"));
    }

    public static FlowVersion add(FlowVersion version, String parent, String placement, String action) {
        return apply(version, "ADD_ACTION", "{'parentStep':'" + parent + "'," + placement + "'action':" + action + "}");
    }

    static FlowVersion apply(FlowVersion version, String type, String request) {
        return FlowEditor.apply(version, (FlowOperation.VersionEdit) operation(type, request), CONTEXT);
    }

    static FlowOperation operation(String type, String request) {
        return FlowOperation.parse(json("{'type':'" + type + "','request':" + request + "}"));
    }

    public static String code(String name) {
        return step(name, "CODE", "{'sourceCode':{'code':'x','packageJson':'{}'},'input':{}}");
    }

    public static String loop(String name) {
        return step(name, "LOOP_ON_ITEMS", "{'items':'{{trigger.output}}'}");
    }

    public static String router(String name) {
        return step(
                name,
                "ROUTER",
                "{'executionType':'EXECUTE_FIRST_MATCH','branches':["
                        + "{'branchType':'CONDITION','branchName':'B1','conditions':[]},"
                        + "{'branchType':'FALLBACK','branchName':'Otherwise'}]}");
    }

    static String piece(String name, String version, String input) {
        return step(
                name,
                "PIECE",
                "{'pieceName':'@activepieces/piece-x','pieceVersion':'" + version + "','actionName':'go','input':"
                        + input + ",'propertySettings':{}}");
    }

    static String pieceTrigger(String input) {
        return step(
                "trigger",
                "PIECE_TRIGGER",
                "{'pieceName':'@activepieces/piece-x','pieceVersion':'1.2.3','triggerName':'when','input':" + input
                        + ",'propertySettings':{}}");
    }

    public static String step(String name, String type, String settings) {
        return "{'name':'" + name + "','displayName':'The " + name + "','type':'" + type + "','valid':true,'settings':"
                + settings + "}";
    }

    /** The notation of contract 34.1 without types: {@code trigger > step_2(step_3) > step_4[step_5/null]}. */
    public static String show(FlowVersion version) {
        var tree = version.steps();
        return tree.trigger().name() + (tree.actions().isEmpty() ? "" : " > " + show(tree.actions()));
    }

    private static String show(List<ActionStep> sequence) {
        return sequence.stream().map(FlowSamples::show).collect(Collectors.joining(" > "));
    }

    private static String show(ActionStep step) {
        return step.name()
                + switch (step) {
                    case CodeStep code -> errorBranches(code.onSuccess(), code.onFailure());
                    case PieceStep piece -> errorBranches(piece.onSuccess(), piece.onFailure());
                    case LoopStep loop -> "(" + (loop.body().isEmpty() ? "-" : show(loop.body())) + ")";
                    case RouterStep router ->
                        router.children().stream()
                                .map(child -> child.isEmpty() ? "null" : show(child))
                                .collect(Collectors.joining("/", "[", "]"));
                };
    }

    private static String errorBranches(List<ActionStep> onSuccess, List<ActionStep> onFailure) {
        return onSuccess.isEmpty() && onFailure.isEmpty() ? "" : "{" + show(onSuccess) + "|" + show(onFailure) + "}";
    }

    public static ObjectNode settings(FlowVersion version, String step) {
        return version.steps().find(step).orElseThrow().settings();
    }

    static List<String> branchNames(FlowVersion version, String step) {
        return settings(version, step).path("branches").findValuesAsText("branchName");
    }

    public static JsonNode trigger(FlowVersion version) {
        return version.toJson().path("trigger");
    }

    static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
