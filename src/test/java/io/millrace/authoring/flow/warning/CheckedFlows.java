package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.Json;
import io.millrace.piece.builtin.Builtins;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Flows for the tests of warning rules, from JSON with single quotes. */
final class CheckedFlows {
    static final String FLOW_ID = "flow00000000000000001";
    static final String MANUAL = pieceTrigger("@activepieces/piece-manual-trigger", "manual_trigger", "{}");
    static final String WEBHOOK = pieceTrigger("@activepieces/piece-webhook", "catch_webhook", "{}");

    private static final List<io.millrace.piece.Piece> PIECES = Builtins.all(() -> Instant.EPOCH, new Random(1));

    private static final Map<String, ConnectionStatus> CONNECTIONS = Map.of(
            "good", ConnectionStatus.ACTIVE, "empty", ConnectionStatus.MISSING, "expired", ConnectionStatus.ERROR);

    private CheckedFlows() {}

    static CheckedFlow flow(String trigger, String... steps) {
        return flow(Set.of(), trigger, steps);
    }

    static CheckedFlow flow(Set<String> nodeSteps, String trigger, String... steps) {
        var root = json(trigger);
        sequence(steps).ifPresent(first -> root.set("nextAction", first));
        return new CheckedFlow(
                FLOW_ID,
                Optional.of("external-1"),
                StepTree.stored(root),
                (name, version) -> PIECES.stream()
                        .filter(piece -> piece.spec().name().equals(name)
                                && piece.spec().versions().contains(version))
                        .findFirst(),
                CONNECTIONS,
                Set.of("known"),
                nodeSteps);
    }

    /** Messages of one rule, each as "step: message". */
    static List<String> warnings(WarningRule rule, CheckedFlow flow) {
        return rule.check(flow).map(CheckedFlows::shown).toList();
    }

    static String shown(StepProblem problem) {
        return problem.stepName() + ": " + problem.message();
    }

    private static Optional<ObjectNode> sequence(String... steps) {
        ObjectNode next = null;
        for (var index = steps.length - 1; index >= 0; index--) {
            var step = json(steps[index]);
            if (next != null) {
                step.set("nextAction", next);
            }
            next = step;
        }
        return Optional.ofNullable(next);
    }

    static ObjectNode json(String singleQuoted) {
        return (ObjectNode) Json.trusted(singleQuoted.replace('\'', '"').replace('`', '\''));
    }

    static String pieceTrigger(String piece, String trigger, String input) {
        return step(
                "trigger",
                "PIECE_TRIGGER",
                "{'pieceName':'" + piece + "','pieceVersion':'" + versionOf(piece) + "','triggerName':'" + trigger
                        + "','input':" + input + ",'propertySettings':{}}");
    }

    static String piece(String name, String piece, String action, String input) {
        return step(
                name,
                "PIECE",
                "{'pieceName':'" + piece + "','pieceVersion':'" + versionOf(piece) + "','actionName':'" + action
                        + "','input':" + input + ",'propertySettings':{}}");
    }

    private static String versionOf(String name) {
        return Builtins.all(() -> Instant.EPOCH, new Random(1)).stream()
                .filter(piece -> piece.spec().name().equals(name))
                .map(piece -> piece.spec().versions().getFirst())
                .findFirst()
                .orElse("0.0.1");
    }

    static String code(String name, String input) {
        return code(name, "export const code = async (inputs) => inputs;", input);
    }

    static String code(String name, String source, String input) {
        return step(
                name,
                "CODE",
                "{'sourceCode':{'code':"
                        + Json.text(Json.mapper().valueToTree(source)).replace("'", "`")
                        + ",'packageJson':'{}'},'input':" + input + "}");
    }

    static String loop(String name, String items, String... body) {
        var step = json(step(name, "LOOP_ON_ITEMS", "{'items':'" + items + "'}"));
        sequence(body).ifPresent(first -> step.set("firstLoopAction", first));
        return quoted(step);
    }

    /** A router; a child that is null is empty. */
    static String router(String name, String executionType, String branches, String... children) {
        var step = json(step(name, "ROUTER", "{'executionType':'" + executionType + "','branches':" + branches + "}"));
        var list = step.putArray("children");
        for (var child : children) {
            if (child == null) {
                list.addNull();
            } else {
                list.add(json(child));
            }
        }
        return quoted(step);
    }

    static String branch(String name, String conditions) {
        return "{'branchType':'CONDITION','branchName':'" + name + "','conditions':" + conditions + "}";
    }

    static String fallback() {
        return "{'branchType':'FALLBACK','branchName':'Otherwise'}";
    }

    static String step(String name, String type, String settings) {
        return "{'name':'" + name + "','displayName':'The " + name + "','type':'" + type
                + "','valid':true,'lastUpdatedDate':'2026-02-01T00:00:00.000Z','settings':" + settings + "}";
    }

    /** The same step, skipped. */
    static String skipped(String step) {
        return quoted(json(step).put("skip", true));
    }

    private static String quoted(ObjectNode step) {
        return Json.text(step).replace("'", "`");
    }
}
