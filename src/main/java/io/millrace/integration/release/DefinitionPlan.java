package io.millrace.integration.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.flow.version.StepChange;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.base.core.JsonDifference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Human-readable difference of two definitions: by item, by step and by field. Pure. */
record DefinitionPlan(List<Item> items) {
    private static final int SHOWN_LENGTH_MAX = 500;

    DefinitionPlan {
        items = List.copyOf(items);
    }

    enum PlannedAction {
        CREATE,
        UPDATE,
        DELETE
    }

    /** Kinds of items, in the order of a plan. */
    enum Kind {
        FOLDER,
        CONNECTION,
        VARIABLE,
        TABLE,
        FLOW
    }

    /** Fields and steps are listed if the item is kept. */
    record Item(Kind kind, PlannedAction action, Entry entry, List<JsonDifference> fields, List<StepChange> steps) {}

    /**
     * An item of a definition.
     *
     * @param key external id, or the name for items that are matched by name
     * @param fields fields of the item, without its steps
     */
    record Entry(Kind kind, String key, String displayName, ObjectNode fields, Optional<StepTree> steps) {
        static Entry of(Kind kind, String key, String displayName, ObjectNode fields) {
            return new Entry(kind, key, displayName, fields, Optional.empty());
        }
    }

    /**
     * Computes the plan. Connections and variables that the later definition does not name stay unchanged and are not listed;
     * new variables are not listed either, as they cannot be created without their values.
     */
    static DefinitionPlan between(ProjectDefinition before, ProjectDefinition after) {
        var published = after.state().flows().stream()
                .filter(FlowState::isPublished)
                .map(FlowState::externalId)
                .collect(Collectors.toSet());
        var old = entries(before, published);
        var wanted = entries(after, published);
        var items = new ArrayList<Item>();
        old.forEach((id, entry) -> {
            if (!wanted.containsKey(id) && entry.kind() != Kind.CONNECTION && entry.kind() != Kind.VARIABLE) {
                items.add(new Item(entry.kind(), PlannedAction.DELETE, entry, List.of(), List.of()));
            }
        });
        wanted.forEach((id, entry) -> Optional.ofNullable(old.get(id))
                .map(earlier -> update(earlier, entry))
                .orElseGet(() -> Optional.of(new Item(entry.kind(), PlannedAction.CREATE, entry, List.of(), List.of()))
                        .filter(_ -> entry.kind() != Kind.VARIABLE))
                .ifPresent(items::add));
        return new DefinitionPlan(items);
    }

    private static Optional<Item> update(Entry before, Entry after) {
        var known = before.fields().deepCopy();
        if (!after.fields().has(ProjectDefinition.TESTS)) {
            // Files without a list of tests leave the tests of the flow unchanged.
            known.remove(ProjectDefinition.TESTS);
        }
        var fields = JsonDifference.between(known, after.fields());
        var steps = before.steps()
                .map(old -> StepChange.between(old, after.steps().orElseThrow()))
                .orElse(List.of());
        return Optional.of(new Item(after.kind(), PlannedAction.UPDATE, after, fields, steps))
                .filter(item -> !fields.isEmpty() || !steps.isEmpty());
    }

    /** @param published flows whose status counts */
    private static Map<String, Entry> entries(ProjectDefinition definition, Set<String> published) {
        var entries = new ArrayList<Entry>();
        definition
                .folders()
                .forEach(folder -> entries.add(Entry.of(
                        Kind.FOLDER,
                        folder.displayName().toLowerCase(Locale.ROOT),
                        folder.displayName(),
                        ProjectDefinition.folderJson(folder))));
        var state = definition.state();
        state.connections()
                .forEach(connection -> entries.add(Entry.of(
                        Kind.CONNECTION, connection.externalId(), connection.displayName(), connection.toJson())));
        definition
                .variables()
                .forEach(variable ->
                        entries.add(Entry.of(Kind.VARIABLE, variable.name(), variable.name(), variable.toJson())));
        state.tables()
                .forEach(table -> entries.add(
                        Entry.of(Kind.TABLE, table.externalId(), table.name(), definition.tableFields(table))));
        state.flows()
                .forEach(flow -> entries.add(new Entry(
                        Kind.FLOW,
                        flow.externalId(),
                        flow.displayName(),
                        definition.flowFields(flow, published.contains(flow.externalId())),
                        Optional.of(flow.content().steps()))));
        var byId = new LinkedHashMap<String, Entry>();
        entries.forEach(entry -> byId.put(entry.kind() + ":" + entry.key(), entry));
        return byId;
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    /** Returns true if the plan deletes data: flows, or tables with their records. */
    boolean deletes() {
        return items.stream().anyMatch(item -> item.action() == PlannedAction.DELETE && item.kind() != Kind.FOLDER);
    }

    ArrayNode toJson() {
        var list = Json.array();
        for (var item : items) {
            var json = list.addObject()
                    .put("kind", item.kind().name())
                    .put("action", item.action().name())
                    .put("key", item.entry().key())
                    .put("displayName", item.entry().displayName());
            fields(json.putArray("fields"), item.fields());
            var steps = json.putArray("steps");
            for (var change : item.steps()) {
                var step = steps.addObject()
                        .put("step", change.step())
                        .put("displayName", change.displayName())
                        .put("action", change.kind().name())
                        .put("place", change.place());
                fields(step.putArray("fields"), change.fields());
            }
        }
        return list;
    }

    private static void fields(ArrayNode list, List<JsonDifference> differences) {
        for (var difference : differences) {
            var json = list.addObject().put("path", difference.path());
            shown(json, "before", difference.before());
            shown(json, "after", difference.after());
        }
    }

    private static void shown(ObjectNode json, String name, JsonNode value) {
        if (!value.isMissingNode()) {
            var text = value.isTextual() ? value.textValue() : Json.text(value);
            var isShort = text.length() <= SHOWN_LENGTH_MAX;
            json.set(name, isShort ? value : TextNode.valueOf(CutText.marked(text, SHOWN_LENGTH_MAX, "…")));
        }
    }
}
