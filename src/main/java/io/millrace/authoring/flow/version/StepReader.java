package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.EmptyTrigger;
import io.millrace.authoring.flow.step.LoopStep;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.step.StepBase;
import io.millrace.authoring.flow.step.StepSchema;
import io.millrace.authoring.flow.step.StepType;
import io.millrace.authoring.flow.step.StepType.ActionType;
import io.millrace.authoring.flow.step.StepType.TriggerType;
import io.millrace.authoring.flow.step.TriggerStep;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Parses one step without its links (contract flows-and-engine 2.5, 4.2). {@link TreeReader} parses whole trees.
 *
 * <p>The step must have been {@linkplain #prepared prepared}: this removes links and NUL characters, so that the rest
 * can be parsed field by field.
 */
public final class StepReader {
    /** Deepest nesting within settings, which permits recursion over settings. */
    static final int SETTINGS_DEPTH_MAX = Json.DEPTH_MAX;

    private static final Set<String> LINKS = Set.of(
            "nextAction",
            "children",
            "firstLoopAction",
            "continueOnFailureBranches",
            "onSuccessAction",
            "onFailureAction");

    private StepReader() {}

    /** A copy without links and without sample data, which only its own operation may set (2.9). */
    public static JsonNode prepared(JsonNode step) {
        if (!step.isObject()) {
            return step;
        }
        var prepared = Json.object();
        step.properties().forEach(field -> {
            if (!LINKS.contains(field.getKey())) {
                prepared.set(field.getKey(), cleaned(field.getValue(), 0));
            }
        });
        if (prepared.get("settings") instanceof ObjectNode settings) {
            settings.remove("sampleData");
        }
        return prepared;
    }

    /** A copy without NUL characters, which database texts cannot contain (2.13). */
    static JsonNode cleaned(JsonNode value) {
        return cleaned(value, 0);
    }

    private static JsonNode cleaned(JsonNode value, int depth) {
        if (depth > SETTINGS_DEPTH_MAX) {
            throw StepTree.refusal("expected settings nested at most " + SETTINGS_DEPTH_MAX + " deep");
        }
        return switch (value.getNodeType()) {
            case STRING -> TextNode.valueOf(withoutNul(value.textValue()));
            case ARRAY -> {
                var array = Json.array();
                value.forEach(item -> array.add(cleaned(item, depth + 1)));
                yield array;
            }
            case OBJECT -> {
                var object = Json.object();
                value.properties()
                        .forEach(entry -> object.set(withoutNul(entry.getKey()), cleaned(entry.getValue(), depth + 1)));
                yield object;
            }
            case BINARY, BOOLEAN, MISSING, NULL, NUMBER, POJO -> value;
        };
    }

    static String withoutNul(String text) {
        return text.indexOf('\0') < 0 ? text : text.replace("\0", "");
    }

    /** An action of a request; the editor sets its date. */
    public static ActionStep action(Fields step) {
        var name = step.text("name", StepBase.NAME);
        var displayName = step.text("displayName");
        var valid = step.optionalFlag("valid").orElse(true);
        var skip = step.optionalFlag("skip").orElse(null);
        var base = new StepBase(name, displayName, valid, skip, null);
        return typeOf(step, ActionType.class)
                .map(type -> action(type, base, StepSchema.settings(StepType.valueOf(type.name()), step)))
                .orElseGet(() -> action(ActionType.CODE, base, Json.object()));
    }

    /** A trigger of a request; the editor sets its date. */
    public static TriggerStep trigger(Fields step) {
        var name = step.text("name", StepBase.NAME);
        var displayName = step.text("displayName");
        var base = new StepBase(name, displayName, step.flag("valid"), null, null);
        return switch (typeOf(step, TriggerType.class).orElse(TriggerType.EMPTY)) {
            case EMPTY -> new EmptyTrigger(base);
            case PIECE_TRIGGER -> new PieceTriggerStep(base, StepSchema.settings(StepType.PIECE_TRIGGER, step));
        };
    }

    private static <E extends Enum<E>> Optional<E> typeOf(Fields step, Class<E> types) {
        return step.isAbsent("type")
                ? Optional.of(step.option("type", types)).filter(_ -> false)
                : step.optionalOption("type", types);
    }

    /** A step without children; a router has one empty child per branch. */
    public static ActionStep action(ActionType type, StepBase base, ObjectNode settings) {
        return switch (type) {
            case CODE -> new CodeStep(base, settings, List.of(), List.of());
            case PIECE -> new PieceStep(base, settings, List.of(), List.of());
            case LOOP_ON_ITEMS -> new LoopStep(base, settings, List.of());
            case ROUTER -> RouterStep.withoutChildren(base, settings);
        };
    }
}
