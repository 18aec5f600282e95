package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.RouterStep;
import io.millrace.authoring.flow.step.StepType;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.parser.References;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Migrates steps to the current schema (contract flows-and-engine 2.14), on import or when read from a row of an
 * earlier release. Handles old branches, undated steps, older settings ({@link OldSettings}), and references without
 * {@code ['output']}.
 */
public final class TreeMigration {
    private static final int BRANCHES_ARE_ROUTERS = 1;
    private static final int STEPS_ARE_DATED = 18;
    private static final int VERSIONS_ARE_EXACT = 20;
    private static final int REFERENCES_NAME_OUTPUT = 22;
    private static final Pattern SCHEMA = Pattern.compile("[0-9]{1,6}");
    private static final Pattern NUMBERED = Pattern.compile("trigger|step_\\d+");

    private final int schemaVersion;

    /**
     * Selects the migrations from a schema to the current one.
     *
     * @param schemaVersion null for the oldest; an unknown version counts as the current one
     */
    public TreeMigration(String schemaVersion) {
        this.schemaVersion = schemaVersion == null ? 0 : numberOf(schemaVersion);
    }

    private static int numberOf(String schemaVersion) {
        return SCHEMA.matcher(schemaVersion).matches() ? Integer.parseInt(schemaVersion) : REFERENCES_NAME_OUTPUT;
    }

    public boolean mayBeUndated() {
        return schemaVersion < STEPS_ARE_DATED;
    }

    /** The same step in the current schema; its links are shared, not copied. */
    public JsonNode upgraded(JsonNode step) {
        if (schemaVersion >= VERSIONS_ARE_EXACT || !(step instanceof ObjectNode object)) {
            return step;
        }
        var isBranch = schemaVersion < BRANCHES_ARE_ROUTERS
                && object.path("type").asText().equals("BRANCH");
        var current = isBranch ? routerOf(object) : object;
        if (!(current.get("settings") instanceof ObjectNode settings)) {
            return current;
        }
        var upgraded = shallowCopy(current);
        upgraded.set("settings", OldSettings.upgraded(settings, schemaVersion));
        return upgraded;
    }

    private static ObjectNode routerOf(ObjectNode branch) {
        var settings = Json.object().put("executionType", "EXECUTE_FIRST_MATCH");
        var branches = settings.putArray("branches");
        branches.addObject()
                .put("branchType", RouterStep.CONDITION)
                .put("branchName", "Branch 1")
                .set("conditions", branch.path("settings").path("conditions").deepCopy());
        branches.addObject().put("branchType", RouterStep.FALLBACK).put("branchName", "Otherwise");
        var router = shallowCopy(branch);
        router.put("type", StepType.ROUTER.name()).set("settings", settings);
        router.putArray("children").add(headOf(branch, "onSuccessAction")).add(headOf(branch, "onFailureAction"));
        return router;
    }

    private static JsonNode headOf(ObjectNode branch, String link) {
        var head = branch.path(link);
        return head.isMissingNode() ? branch.nullNode() : head;
    }

    private static ObjectNode shallowCopy(JsonNode object) {
        var copy = Json.object();
        object.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        return copy;
    }

    /**
     * The same tree with references in the current form. A step becomes invalid when one of its expressions cannot be
     * parsed but contains the name of a step, so that the author checks it (decision 0406).
     */
    public StepTree withCurrentReferences(StepTree tree) {
        if (schemaVersion >= REFERENCES_NAME_OUTPUT) {
            return tree;
        }
        var names = tree.names();
        Predicate<String> isStep =
                name -> names.contains(name) || NUMBERED.matcher(name).matches();
        var trigger = rewritten(tree.trigger().settings(), isStep);
        var base = tree.trigger().base();
        return new StepTree(
                        tree.trigger().with(trigger.isWhole() ? base : base.validated(false), trigger.settings()),
                        tree.actions())
                .change(_ -> true, action -> {
                    var own = rewritten(action.settings(), isStep);
                    var changed = action.with(own.settings());
                    return own.isWhole() ? changed : changed.with(changed.base().validated(false));
                });
    }

    /**
     * Settings with current references.
     *
     * @param isWhole true if every expression that refers to a step could be rewritten
     */
    private record Rewritten(ObjectNode settings, boolean isWhole) {}

    private static Rewritten rewritten(ObjectNode settings, Predicate<String> isStep) {
        var hides = new AtomicBoolean();
        UnaryOperator<String> edit = text -> {
            if (References.hidesReference(text, isStep)) {
                hides.set(true);
            }
            return References.appendOutput(text, isStep);
        };
        return new Rewritten(SettingsTexts.mappedOutsideCode(settings, edit), !hides.get());
    }
}
