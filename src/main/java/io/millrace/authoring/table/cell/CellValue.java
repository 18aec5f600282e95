package io.millrace.authoring.table.cell;

import io.millrace.base.core.input.Fields;
import io.millrace.sandbox.expression.value.JsText;
import java.util.ArrayList;
import java.util.List;

/**
 * Value to write into a cell, converted to text (contract flows-and-engine 22.4). Null becomes the empty text, an array
 * or an object its JSON.
 */
public record CellValue(String fieldId, String text) {
    /** Parses {@code [{fieldId, value}]}; errors are recorded in the fields. */
    public static List<CellValue> read(Fields given, String name) {
        var cells = new ArrayList<CellValue>();
        for (var cell : given.array(name)) {
            var fields = given.element(name, cells.size(), cell);
            cells.add(new CellValue(
                    fields.text("fieldId", 1, Fields.NAME_LENGTH_MAX), fields.textFor("value", JsText::inserted)));
        }
        return cells;
    }
}
