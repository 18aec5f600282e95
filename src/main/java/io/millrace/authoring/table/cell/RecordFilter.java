package io.millrace.authoring.table.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.sandbox.expression.value.JsText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Condition on listed records (contract flows-and-engine 22.5).
 *
 * @param value empty for an operator without a value
 */
public record RecordFilter(String fieldId, FilterOperator operator, String value) {
    /** Limit on filters, above the default number of fields of a table. */
    static final int COUNT_MAX = 100;

    private static final String FILTERS = "filters";

    /**
     * Parses the filters of a query: {@code filters[0][fieldId]=…} and so on, or each as JSON. Errors are recorded in
     * the fields.
     */
    public static List<RecordFilter> read(Fields query) {
        var filters = new ArrayList<RecordFilter>();
        for (var given : listOf(query)) {
            if (filters.size() == COUNT_MAX) {
                query.refuse(FILTERS, "Too big: expected array to have <=" + COUNT_MAX + " items");
                return filters;
            }
            var fields = query.element(FILTERS, filters.size(), given);
            filters.add(new RecordFilter(
                    fields.text("fieldId", 1, Fields.NAME_LENGTH_MAX), readOperator(fields), readValue(fields)));
        }
        return filters;
    }

    private static List<JsonNode> listOf(Fields query) {
        var given = query.raw(FILTERS);
        var list = new ArrayList<JsonNode>();
        if (given.isArray()) {
            given.forEach(each -> list.add(parsed(each)));
        } else if (!query.isAbsent(FILTERS)) {
            var whole = parsed(given);
            if (whole.isArray()) {
                whole.forEach(list::add);
            } else {
                list.add(whole);
            }
        }
        return list;
    }

    private static JsonNode parsed(JsonNode given) {
        if (!given.isTextual()) {
            return given;
        }
        try {
            return Json.parse(given.textValue());
        } catch (JsonProcessingException noJson) {
            return MissingNode.getInstance();
        }
    }

    private static FilterOperator readOperator(Fields given) {
        var found = FilterOperator.of(given.raw("operator").asText());
        if (found.isEmpty()) {
            given.refuse("operator", expectedOperator());
        }
        return found.orElse(FilterOperator.EQ);
    }

    public static String expectedOperator() {
        return Arrays.stream(FilterOperator.values())
                .map(operator -> '"' + operator.word() + '"')
                .collect(Collectors.joining("|", "Invalid option: expected one of ", ""));
    }

    private static String readValue(Fields given) {
        var isNeeded = FilterOperator.of(given.raw("operator").asText())
                .filter(FilterOperator::takesValue)
                .isPresent();
        if (isNeeded && given.isAbsent("value")) {
            given.refuse("value", "Invalid input: expected string, received undefined");
        }
        return given.textFor("value", JsText::inserted);
    }
}
