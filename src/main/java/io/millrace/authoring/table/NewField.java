package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.table.cell.FieldType;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Definition of a new field.
 *
 * @param externalId generated when empty
 * @param options choices of a STATIC_DROPDOWN; empty for other types
 */
public record NewField(String name, FieldType type, Optional<String> externalId, List<String> options) {
    /** Pattern of external ids (contract flows-and-engine 22.2). */
    static final Pattern EXTERNAL_ID = Pattern.compile("^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,128}$");

    private static final int OPTIONS_MAX = 1_000;

    public NewField {
        options = List.copyOf(options);
    }

    /** Errors are recorded in the fields of the request. */
    static NewField read(Fields given) {
        var type = given.option("type", FieldType.class);
        return new NewField(
                given.text("name", 1, Fields.NAME_LENGTH_MAX),
                type,
                given.optionalText("externalId", EXTERNAL_ID),
                type == FieldType.STATIC_DROPDOWN ? readOptions(given) : readNoOptions(given));
    }

    /** Ignores the data of a field type without options; it must be an object, null or absent. */
    private static List<String> readNoOptions(Fields given) {
        given.orNull().optionalObject("data");
        return List.of();
    }

    private static List<String> readOptions(Fields given) {
        var texts = new ArrayList<String>();
        var data = given.inner("data");
        if (!given.raw("data").isObject()) {
            return texts;
        }
        var options = data.array("options");
        if (options.size() > OPTIONS_MAX) {
            data.refuse("options", "Too big: expected array to have <=" + OPTIONS_MAX + " items");
            return texts;
        }
        for (var option : options) {
            texts.add(data.element("options", texts.size(), option).text("value", 0, Fields.NAME_LENGTH_MAX));
        }
        return texts;
    }

    static void putData(ObjectNode json, FieldType type, List<String> options) {
        if (type == FieldType.STATIC_DROPDOWN) {
            json.set("data", dataOf(options));
        }
    }

    static ObjectNode dataOf(List<String> options) {
        var data = Json.object();
        var list = data.putArray("options");
        options.forEach(option -> list.addObject().put("value", option));
        return data;
    }
}
