package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Definition of a table, for transfer between projects (contract admin-api 6.1, 11). Records are not included.
 *
 * @param id id in the source project; the external id when unknown
 * @param fields each with its external id
 * @param status null when none was chosen
 * @param trigger null when none was chosen
 */
public record TableState(
        String id, String name, String externalId, List<NewField> fields, TableStatus status, TableTrigger trigger) {
    private static final int FIELDS_MAX = 1_000;

    public TableState {
        fields = List.copyOf(fields);
    }

    static TableState of(Table table, List<TableField> fields) {
        return new TableState(
                table.id(),
                table.name(),
                table.externalId(),
                fields.stream()
                        .map(field -> new NewField(
                                field.name(), field.type(), Optional.of(field.externalId()), field.options()))
                        .toList(),
                table.status(),
                table.trigger());
    }

    /** Errors are recorded in the fields. */
    public static TableState read(Fields given) {
        var externalId = given.text("externalId", NewField.EXTERNAL_ID);
        return new TableState(
                given.optionalName("id").orElse(externalId),
                given.text("name", 1, Fields.NAME_LENGTH_MAX),
                externalId,
                readFields(given),
                given.optionalOption("status", TableStatus.class).orElse(null),
                given.optionalOption("trigger", TableTrigger.class).orElse(null));
    }

    private static List<NewField> readFields(Fields given) {
        var list = given.array("fields");
        var fields = new ArrayList<NewField>();
        if (list.size() > FIELDS_MAX) {
            given.refuse("fields", "Too big: expected array to have <=" + FIELDS_MAX + " items");
            return fields;
        }
        var known = new HashSet<String>();
        for (var each : list) {
            var field = given.element("fields", fields.size(), each);
            var externalId = field.text("externalId", NewField.EXTERNAL_ID);
            if (!externalId.isEmpty() && !known.add(externalId)) {
                field.refuse("externalId", "Invalid input: expected an externalId that no other field has");
            }
            fields.add(NewField.read(field));
        }
        return fields;
    }

    /** Returns whether another table has the same definition, regardless of its id. */
    public boolean isLike(TableState other) {
        return name.equals(other.name)
                && Set.copyOf(fields).equals(Set.copyOf(other.fields))
                && status == other.status
                && trigger == other.trigger;
    }

    public ObjectNode toJson() {
        return Json.object().put("id", id).setAll(definition());
    }

    /** Form for a template: without id and records. */
    public ObjectNode toTemplate() {
        return definition().putNull("data");
    }

    private ObjectNode definition() {
        var json = Json.object().put("name", name).put("externalId", externalId);
        var list = json.putArray("fields");
        for (var field : fields) {
            var each = list.addObject()
                    .put("name", field.name())
                    .put("type", field.type().name())
                    .put("externalId", field.externalId().orElseThrow());
            NewField.putData(each, field.type(), field.options());
        }
        return json.put("status", status == null ? null : status.name())
                .put("trigger", trigger == null ? null : trigger.name());
    }
}
