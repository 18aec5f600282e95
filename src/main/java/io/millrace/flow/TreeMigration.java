package io.millrace.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.Json;
import io.millrace.expression.References;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Brings imported steps to the schema of today (contract flows-and-engine 2.14). Knows what templates may carry: old
 * branches, piece steps without property settings, undated steps, and references without {@code ['output']}.
 */
final class TreeMigration {
    private static final int BRANCHES_ARE_ROUTERS = 1;
    private static final int PROPERTY_SETTINGS = 7;
    private static final int STEPS_ARE_DATED = 18;
    private static final int REFERENCES_NAME_OUTPUT = 22;
    private static final Pattern NUMBERED = Pattern.compile("trigger|step_\\d+");

    private final int schemaVersion;

    /**
     * What lies before today's schema.
     *
     * @param schemaVersion digits, or null for the oldest
     */
    TreeMigration(String schemaVersion) {
        this.schemaVersion = schemaVersion == null ? 0 : Integer.parseInt(schemaVersion);
    }

    /** Whether a text is a schema version. */
    static boolean isSchemaVersion(String text) {
        return text.matches("[0-9]{1,6}");
    }

    /** Whether triggers of this schema may lack their date. */
    boolean mayBeUndated() {
        return schemaVersion < STEPS_ARE_DATED;
    }

    /** The same step in the shape of today; its links are shared, not copied. */
    JsonNode upgraded(JsonNode step) {
        if (!(step instanceof ObjectNode object) || schemaVersion >= PROPERTY_SETTINGS) {
            return step;
        }
        if (schemaVersion < BRANCHES_ARE_ROUTERS && object.path("type").asText().equals("BRANCH")) {
            return routerOf(object);
        }
        var isPiece = object.path("settings").has("pieceName");
        if (!isPiece || object.path("settings").has("propertySettings")) {
            return step;
        }
        var settings = shallowCopy(object.path("settings"));
        settings.putObject("propertySettings");
        var upgraded = shallowCopy(object);
        upgraded.set("settings", settings);
        return upgraded;
    }

    private static JsonNode routerOf(ObjectNode branch) {
        var settings = Json.object().put("executionType", "EXECUTE_FIRST_MATCH");
        var branches = settings.putArray("branches");
        branches.addObject()
                .put("branchType", RouterStep.CONDITION)
                .put("branchName", "On Success")
                .set("conditions", branch.path("settings").path("conditions").deepCopy());
        branches.addObject().put("branchType", RouterStep.FALLBACK).put("branchName", "On Failure");
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

    /** The same tree with references in the form of today. */
    StepTree withCurrentReferences(StepTree tree) {
        if (schemaVersion >= REFERENCES_NAME_OUTPUT) {
            return tree;
        }
        var names = tree.names();
        UnaryOperator<String> edit = text -> References.appendOutput(
                text, name -> names.contains(name) || NUMBERED.matcher(name).matches());
        var trigger = tree.trigger();
        return new StepTree(
                        trigger.with(trigger.base(), SettingsTexts.mappedOutsideCode(trigger.settings(), edit)),
                        tree.actions())
                .change(_ -> true, action -> action.with(SettingsTexts.mappedOutsideCode(action.settings(), edit)));
    }
}
