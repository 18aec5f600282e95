package io.millrace.piece.builtin.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;

/** Size of an input: characters of texts, bytes of files, and one per value. */
final class InputSize {
    private InputSize() {}

    static long of(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> 1 + value.textValue().length();
            case BINARY -> 1 + bytes(value);
            case OBJECT -> ofFields(value);
            case ARRAY -> ofItems(value);
            case NUMBER, BOOLEAN, NULL, MISSING, POJO -> 1;
        };
    }

    private static long bytes(JsonNode value) {
        return ((BinaryNode) value).binaryValue().length;
    }

    private static long ofFields(JsonNode object) {
        var size = 1L;
        for (var field : object.properties()) {
            size += field.getKey().length() + of(field.getValue());
        }
        return size;
    }

    private static long ofItems(JsonNode list) {
        var size = 1L;
        for (var item : list) {
            size += of(item);
        }
        return size;
    }
}
