package io.millrace.piece.input;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.text.ShownText;
import io.millrace.piece.input.PropertyProcessor.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds values of optional properties that the coercion of {@link PropertyCoercion} replaced by nothing: the action runs
 * without them. Credentials are not searched.
 */
@SuppressWarnings("ReferenceEquality") // The processor returns an input without changes itself.
final class DroppedValues {
    private static final int MESSAGES_MAX = 10;
    private static final int VALUE_LENGTH_MAX = 100;
    private static final int ITEMS_MAX = 10_000;

    private final List<String> messages = new ArrayList<>();
    private int itemsLeft = ITEMS_MAX;

    private DroppedValues() {}

    /** Messages, at most ten, each with the path of its field. */
    static List<String> of(PropertyProcessor processor, JsonNode given, JsonNode processed) {
        var search = new DroppedValues();
        search.compare("", processor, given, processed);
        return search.messages;
    }

    private void compare(String path, PropertyProcessor processor, JsonNode given, JsonNode processed) {
        if (given == processed) {
            return;
        }
        for (var field : processor.fields()) {
            var before = given.path(field.name());
            if (messages.size() < MESSAGES_MAX && !field.isOfAuth() && !isEmpty(before)) {
                compare(path + field.name(), field, given, processed);
            }
        }
    }

    private void compare(String path, Field field, JsonNode given, JsonNode processed) {
        var before = given.path(field.name());
        var after = processed.path(field.name());
        if (after.isMissingNode() || after.isNull()) {
            messages.add(path + ": expected "
                    + PropertyCheck.kindOf(field.property().type()).orElse("another value") + ", received: "
                    + ShownText.of(ScriptValues.text(before), VALUE_LENGTH_MAX)
                    + "; the field is optional, so the action receives no value");
        } else if (field.items() != null && after.isArray()) {
            compareItems(path, field.items(), before, after);
        } else if (before != after && after.isObject()) {
            field.childrenFor(given).ifPresent(children -> compare(path + ".", children, before, after));
        }
    }

    private void compareItems(String path, PropertyProcessor items, JsonNode before, JsonNode after) {
        var rows = before.isObject() ? NestedInput.zipped(before) : before;
        for (var index = 0; index < after.size() && itemsLeft-- > 0; index++) {
            compare(path + "[" + index + "].", items, rows.path(index), after.get(index));
        }
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isMissingNode()
                || value.isNull()
                || value.isTextual() && value.textValue().isBlank();
    }
}
