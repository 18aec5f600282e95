package io.millrace.piece.builtin.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.ProjectTables;
import io.millrace.piece.ProjectTables.Filter;
import io.millrace.piece.ProjectTables.TableRef;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.ContextAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.builtin.data.CsvWriter;
import io.millrace.sandbox.expression.value.JsText;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Table actions of steps. A step repeated after a crash adds no record twice. */
final class TableActions {
    static final String CREATE = "tables-create-records";
    static final String UPDATE = "tables-update-record";
    static final String FIND = "tables-find-records";

    private static final String RECORD = "record_id";
    private static final String VALUES = "values";
    private static final String FILTERS = "filters";
    private static final String LIMIT = "limit";
    private static final Props.NamedProperty RECORD_PROPERTY = Props.named(
            RECORD, Props.shortText("Record ID", true).describedAs("Id of a record from the output of another step."));

    private final ProjectTables tables;

    TableActions(ProjectTables tables) {
        this.tables = tables;
    }

    List<Action> all() {
        return List.of(
                action(
                        CREATE,
                        "Create Records",
                        "Adds records to a table.",
                        List.of(
                                Props.named(VALUES, TableForm.ROWS.property("Records", false)),
                                Props.named(
                                        "records",
                                        Props.json("Records as JSON", false)
                                                .describedAs("A list of objects, whose fields are the columns by their"
                                                        + " names. Takes the place of the form above."))),
                        context -> tables.create(place(context), rows(context.props()), context.idempotencyKey())
                                .map(made -> made)),
                action(
                        FIND,
                        "Find Records",
                        "Finds the records of a table that fit all filters, oldest first.",
                        List.of(
                                Props.named(
                                        LIMIT, Props.number("Limit", false).describedAs("Maximum number of records.")),
                                Props.named(FILTERS, TableForm.FILTERS.property("Filters", false))),
                        context -> tables.find(place(context), filters(context.props()), limit(context.props()))
                                .map(found -> found)),
                action(
                        "tables-get-record",
                        "Get Record",
                        "Reads a record.",
                        List.of(RECORD_PROPERTY),
                        context -> tables.get(place(context), record(context)).map(found -> found)),
                action(
                        UPDATE,
                        "Update Record",
                        "Updates a record. Columns without a value stay unchanged.",
                        List.of(RECORD_PROPERTY, Props.named(VALUES, TableForm.VALUES.property("Values", true))),
                        context -> tables.update(
                                        place(context), record(context), filled(context), context.idempotencyKey())
                                .map(changed -> changed)),
                action(
                        "tables-delete-record",
                        "Delete Record",
                        "Deletes a record.",
                        List.of(RECORD_PROPERTY),
                        context -> tables.delete(place(context), List.of(record(context)))
                                .map(_ -> success())),
                action(
                        "tables-clear-table",
                        "Clear Table",
                        "Removes all records of a table.",
                        List.of(),
                        context -> tables.clear(place(context)).map(_ -> success())),
                action(
                        "tables-download-table",
                        "Download Table",
                        "Writes all records of a table into a CSV file.",
                        List.of(),
                        this::download));
    }

    private static Action action(
            String name,
            String displayName,
            String description,
            List<Props.NamedProperty> own,
            Function<StepContext, Future<JsonNode>> body) {
        var props = Props.of(Stream.concat(Stream.of(TablesPiece.TABLE_PROPERTY), own.stream())
                .toArray(Props.NamedProperty[]::new));
        return new ContextAction(new ActionSpec(name, displayName, description, props, false, true, false), body);
    }

    private static JsonNode success() {
        return Json.object().put("success", true);
    }

    private static TableRef place(StepContext context) {
        return new TableRef(context.projectId(), named(context.props(), TablesPiece.TABLE));
    }

    private static String record(StepContext context) {
        return named(context.props(), RECORD);
    }

    private static String named(ObjectNode props, String name) {
        var text = JsText.inserted(props.path(name)).strip();
        if (text.isEmpty()) {
            throw PieceFailure.of(name + ": expected a text, found none");
        }
        return text;
    }

    /** Rows from the JSON input if present, otherwise from the form. */
    private static List<ObjectNode> rows(ObjectNode props) {
        var given = props.path("records");
        var isFilled = given.isContainerNode()
                || given.isTextual() && !given.textValue().isBlank();
        return objects(isFilled ? given : props.path(VALUES).path(VALUES), "records");
    }

    private static List<ObjectNode> objects(JsonNode list, String name) {
        var rows = new ArrayList<ObjectNode>();
        if (list instanceof ObjectNode one) {
            rows.add(one);
        } else if (list.isArray()) {
            for (var row : list) {
                if (!(row instanceof ObjectNode object)) {
                    throw PieceFailure.of(name + ": expected a list of objects, found another element in it");
                }
                rows.add(object);
            }
        } else if (!list.isMissingNode() && !list.isNull()) {
            throw PieceFailure.of(name + ": expected a list of objects, found another value");
        }
        return rows;
    }

    /** Nonempty values only: other columns keep their content. */
    private static ObjectNode filled(StepContext context) {
        var filled = Json.object();
        context.props().path(VALUES).properties().forEach(value -> {
            if (!JsText.inserted(value.getValue()).isEmpty()) {
                filled.set(value.getKey(), value.getValue());
            }
        });
        return filled;
    }

    private static List<Filter> filters(ObjectNode props) {
        var given = props.path(FILTERS);
        return objects(given.isArray() ? given : given.path(FILTERS), FILTERS).stream()
                .map(filter -> new Filter(
                        named(filter, "field"), named(filter, "operator"), JsText.inserted(filter.path("value"))))
                .toList();
    }

    private static Optional<Integer> limit(ObjectNode props) {
        var given = props.path(LIMIT);
        if (given.isMissingNode() || given.isNull()) {
            return Optional.empty();
        }
        if (!given.isNumber() || given.doubleValue() < 1 || given.doubleValue() != Math.rint(given.doubleValue())) {
            throw PieceFailure.of("limit: expected a whole number from 1, found " + given.asText());
        }
        return Optional.of((int) Math.min(given.doubleValue(), Integer.MAX_VALUE));
    }

    private Future<JsonNode> download(StepContext context) {
        return tables.export(place(context)).compose(table -> {
            var fileName = table.path("name").asText() + ".csv";
            return context.writeFile(fileName, Buffer.buffer(csv(table)))
                    .map(url -> Json.object().put("fileName", fileName).put("file", url));
        });
    }

    private static String csv(ObjectNode table) {
        var columns = new ArrayList<String>();
        table.path("fields").forEach(field -> columns.add(field.path("name").asText()));
        var rows = new ArrayList<Map<String, String>>();
        for (var row : table.path("rows")) {
            var texts = new HashMap<String, String>();
            row.properties()
                    .forEach(cell -> texts.put(cell.getKey(), cell.getValue().asText()));
            rows.add(texts);
        }
        return CsvWriter.write(columns, rows, ',');
    }
}
