package io.millrace.piece.builtin.table;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.ProjectTables.Column;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.Property.Option;
import io.millrace.piece.property.PropertyType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

enum TableForm {
    ROWS {
        @Override
        Map<String, Property> children(List<Column> columns) {
            return Map.of("values", Props.list("Records", true).withItems(inputs(columns)));
        }
    },
    VALUES {
        @Override
        Map<String, Property> children(List<Column> columns) {
            return inputs(columns);
        }
    },
    FILTERS {
        @Override
        Map<String, Property> children(List<Column> columns) {
            var fields = columns.stream()
                    .map(column -> new Option(column.name(), TextNode.valueOf(column.externalId())))
                    .toList();
            return Map.of(
                    "filters",
                    Props.list("Filters", false)
                            .withItems(Props.of(
                                    Props.named("field", Props.choice("Field", true, fields)),
                                    Props.named("operator", OPERATOR),
                                    Props.named("value", Props.shortText("Value", false)))));
        }
    };

    private static final Property OPERATOR = Props.choice(
            "Operator",
            true,
            "is",
            "eq",
            "is not",
            "neq",
            "contains",
            "co",
            "is greater than",
            "gt",
            "is at least",
            "gte",
            "is less than",
            "lt",
            "is at most",
            "lte",
            "is filled",
            "exists",
            "is empty",
            "not_exists");

    abstract Map<String, Property> children(List<Column> columns);

    static Optional<TableForm> of(String action, String property) {
        return switch (action + "/" + property) {
            case TableActions.CREATE + "/values" -> Optional.of(ROWS);
            case TableActions.UPDATE + "/values" -> Optional.of(VALUES);
            case TableActions.FIND + "/filters" -> Optional.of(FILTERS);
            default -> Optional.empty();
        };
    }

    Property property(String displayName, boolean required) {
        return Property.of(PropertyType.DYNAMIC, displayName, required)
                .refreshedBy(List.of(TablesPiece.TABLE), _ -> Map.of());
    }

    private static Map<String, Property> inputs(List<Column> columns) {
        var props = new LinkedHashMap<String, Property>();
        columns.forEach(column -> props.put(column.externalId(), value(column)));
        return props;
    }

    private static Property value(Column column) {
        return switch (column.type()) {
            case "NUMBER" -> Props.number(column.name(), false);
            case "DATE", "DATETIME" -> Property.of(PropertyType.DATE_TIME, column.name(), false);
            case "STATIC_DROPDOWN" ->
                Props.choice(
                        column.name(),
                        false,
                        column.options().stream()
                                .map(option -> new Option(option, TextNode.valueOf(option)))
                                .toList());
            default -> Props.longText(column.name(), false);
        };
    }
}
