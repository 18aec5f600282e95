package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import io.millrace.authoring.flow.step.TriggerStep;
import io.millrace.base.core.input.Fields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Parses trees of linked steps. {@code nextAction} links are followed iteratively; the nesting of sequences is
 * recursive and limited.
 *
 * <p>A stored tree is trusted. An imported tree (contract flows-and-engine 4.2, 4.13) must have a name and a type for
 * every step; settings that violate their schema are kept and make the step invalid (2.12, layer A).
 */
public abstract class TreeReader {
    private int count;

    abstract ActionStep leaf(JsonNode node, BodyPath place);

    abstract JsonNode upgraded(JsonNode node);

    abstract RouterStep withChildren(RouterStep router, List<List<ActionStep>> children);

    static StepTree stored(JsonNode trigger) {
        return stored(trigger, new TreeMigration(FlowVersion.SCHEMA_VERSION), null);
    }

    static StepTree stored(JsonNode trigger, TreeMigration migration, String date) {
        var reader = new Stored(migration, date);
        var actions = reader.sequence(trigger.path("nextAction"), new BodyPath(null, "trigger"));
        return migration.withCurrentReferences(new StepTree(reader.trigger(migration.upgraded(trigger)), actions));
    }

    /**
     * The actions below an imported trigger.
     *
     * @param place of the trigger
     */
    public static List<ActionStep> importedActions(JsonNode trigger, BodyPath place, TreeMigration migration) {
        return new Imported(migration).sequence(trigger.path("nextAction"), place.inner("nextAction"));
    }

    final List<ActionStep> sequence(JsonNode head, BodyPath place) {
        return sequence(head, place, 0);
    }

    private List<ActionStep> sequence(JsonNode head, BodyPath place, int nesting) {
        if (nesting > StepTree.NESTING_MAX) {
            throw StepTree.refusal("expected steps nested at most " + StepTree.NESTING_MAX + " deep");
        }
        var sequence = new ArrayList<ActionStep>();
        var at = place;
        for (var node = head; !isAbsent(node); node = node.path("nextAction")) {
            count++;
            if (count > StepTree.STEPS_MAX) {
                throw StepTree.refusal("expected at most " + StepTree.STEPS_MAX + " steps");
            }
            var current = upgraded(node);
            sequence.add(withLinks(leaf(current, at), current, at, nesting + 1));
            at = at.inner("nextAction");
        }
        return sequence;
    }

    private ActionStep withLinks(ActionStep step, JsonNode node, BodyPath place, int nesting) {
        return switch (step) {
            case CodeStep _, PieceStep _ -> {
                var branches = node.path("continueOnFailureBranches");
                var at = place.inner("continueOnFailureBranches");
                yield step.with(List.of(
                        sequence(branches.path("onSuccess"), at.inner("onSuccess"), nesting),
                        sequence(branches.path("onFailure"), at.inner("onFailure"), nesting)));
            }
            case LoopStep _ ->
                step.with(List.of(sequence(node.path("firstLoopAction"), place.inner("firstLoopAction"), nesting)));
            case RouterStep router -> {
                var children = new ArrayList<List<ActionStep>>();
                for (var child : node.path("children")) {
                    var at = place.inner("children").inner(String.valueOf(children.size()));
                    children.add(sequence(child, at, nesting));
                }
                yield withChildren(router, children);
            }
        };
    }

    private static boolean isAbsent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private static ObjectNode settingsOf(JsonNode node) {
        if (node.path("settings") instanceof ObjectNode settings) {
            return settings;
        }
        throw new IllegalStateException("a stored step has settings, found " + node.path("name"));
    }

    private static final class Stored extends TreeReader {
        private final TreeMigration migration;
        private final String date;

        private Stored(TreeMigration migration, String date) {
            this.migration = migration;
            this.date = date;
        }

        private TriggerStep trigger(JsonNode node) {
            return switch (StepType.TriggerType.valueOf(node.path("type").asText())) {
                case EMPTY -> new EmptyTrigger(base(node));
                case PIECE_TRIGGER -> new PieceTriggerStep(base(node), settingsOf(node));
            };
        }

        private StepBase base(JsonNode node) {
            return new StepBase(
                    node.path("name").asText(),
                    node.path("displayName").asText(),
                    node.path("valid").asBoolean(),
                    node.has("skip") ? node.path("skip").asBoolean() : null,
                    node.path("lastUpdatedDate").asText(date));
        }

        @Override
        ActionStep leaf(JsonNode node, BodyPath place) {
            return StepReader.action(ActionType.valueOf(node.path("type").asText()), base(node), settingsOf(node));
        }

        @Override
        JsonNode upgraded(JsonNode node) {
            return migration.upgraded(node);
        }

        @Override
        RouterStep withChildren(RouterStep router, List<List<ActionStep>> children) {
            return router.with(router.base(), router.settings(), children);
        }
    }

    private static final class Imported extends TreeReader {
        /** Settings for which null means absent. */
        private static final List<String> OPTIONAL_SETTINGS =
                List.of("actionName", "customLogoUrl", "errorHandlingOptions");

        private final TreeMigration migration;

        private Imported(TreeMigration migration) {
            this.migration = migration;
        }

        @Override
        JsonNode upgraded(JsonNode node) {
            return migration.upgraded(node);
        }

        @Override
        ActionStep leaf(JsonNode node, BodyPath place) {
            var prepared = StepReader.prepared(node);
            if (!hasHeader(prepared)) {
                throw headerRefusal(prepared, place);
            }
            var type = ActionType.valueOf(prepared.path("type").asText());
            var fields = Fields.of("", prepared);
            var settings = StepSchema.settings(StepType.valueOf(type.name()), fields);
            var valid = fields.optionalFlag("valid").orElse(true);
            var skip = fields.optionalFlag("skip").orElse(null);
            var base = new StepBase(
                    prepared.path("name").asText(),
                    prepared.path("displayName").asText(),
                    valid && fields.isSound(),
                    skip,
                    null);
            return StepReader.action(
                    type, base, fields.isSound() ? kept(settingsOf(prepared), settings) : settingsOf(prepared));
        }

        /** Keeps settings outside the schema (4.13); piece versions are made exact in any case. */
        private static ObjectNode kept(ObjectNode given, ObjectNode known) {
            OPTIONAL_SETTINGS.stream().filter(name -> given.path(name).isNull()).forEach(given::remove);
            Optional.ofNullable(known.get("pieceVersion")).ifPresent(version -> given.set("pieceVersion", version));
            return given;
        }

        /** A template of an unevenly edited router stays importable. */
        @Override
        RouterStep withChildren(RouterStep router, List<List<ActionStep>> children) {
            return router.with(router.base(), router.settings(), children).rebuilt();
        }

        private static boolean hasHeader(JsonNode step) {
            return StepBase.NAME.matcher(step.path("name").asText("")).find()
                    && step.path("name").isTextual()
                    && step.path("displayName").isTextual()
                    && step.path("settings").isObject()
                    && Arrays.stream(ActionType.values())
                            .anyMatch(
                                    type -> type.name().equals(step.path("type").asText()));
        }

        /** Builds the full path, which is only worth its cost for an error. */
        private static RuntimeException headerRefusal(JsonNode step, BodyPath place) {
            var fields = Fields.of(place.text(), step);
            if (step.isObject()) {
                fields.text("name", StepBase.NAME);
                fields.text("displayName");
                fields.option("type", ActionType.class);
                fields.object("settings");
            }
            fields.done();
            return new IllegalStateException("a valid step was rejected");
        }
    }
}
