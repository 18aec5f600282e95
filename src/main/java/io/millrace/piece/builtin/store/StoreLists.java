package io.millrace.piece.builtin.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.input.ScriptValues;
import io.vertx.core.Future;
import java.util.Optional;

/** Lists in the store: items are added and removed (contract pieces 14.2, compared with store 0.6.20). */
final class StoreLists {
    private StoreLists() {}

    /** Adds items; with ignore_if_exists those that are not in the list yet. A list kept as its JSON is read too. */
    static Future<JsonNode> add(StorePiece.Slot slot, JsonNode value) {
        var items = listIn(value);
        if (items.isEmpty()) {
            return Future.failedFuture(PieceFailure.of("Expected a list of items to add, found another value"));
        }
        var onlyNew = slot.props().path("ignore_if_exists").asBoolean(false);
        return slot.edit(found -> {
            var list = (found.isEmpty() ? Optional.of(Json.array()) : listIn(found.get()))
                    .orElseThrow(() -> PieceFailure.of("Key " + slot.key() + " is not a list"));
            for (var item : items.get()) {
                if (!onlyNew || !contains(list, item)) {
                    list.add(item);
                }
            }
            return list;
        });
    }

    /** Removes the first item that reads the same; a key without a list gets an empty one. */
    static Future<JsonNode> remove(StorePiece.Slot slot, JsonNode value) {
        return slot.edit(found -> {
            if (found.filter(old -> !old.isArray()).isPresent()) {
                throw PieceFailure.of("Key " + slot.key() + " is not an array");
            }
            var list = found.map(old -> ((ArrayNode) old).deepCopy()).orElseGet(Json::array);
            for (var i = 0; i < list.size(); i++) {
                if (readsTheSame(list.get(i), value)) {
                    list.remove(i);
                    break;
                }
            }
            return list;
        });
    }

    private static Optional<ArrayNode> listIn(JsonNode value) {
        if (value instanceof ArrayNode list) {
            return Optional.of(list.deepCopy());
        }
        if (!value.isTextual()) {
            return Optional.empty();
        }
        try {
            return Json.parse(value.asText()) instanceof ArrayNode list ? Optional.of(list) : Optional.empty();
        } catch (JsonProcessingException plainText) {
            return Optional.empty();
        }
    }

    private static boolean contains(ArrayNode list, JsonNode item) {
        for (var known : list) {
            if (same(known, item)) {
                return true;
            }
        }
        return false;
    }

    /** Equal in depth, where 1 and "1" count as equal. */
    private static boolean same(JsonNode left, JsonNode right) {
        if (left.isArray() && right.isArray() || left.isObject() && right.isObject()) {
            if (left.size() != right.size()) {
                return false;
            }
            return left.isArray() ? sameItems(left, right) : sameFields(left, right);
        }
        return left.isNull() && right.isNull() || readsTheSame(left, right);
    }

    private static boolean sameItems(JsonNode left, JsonNode right) {
        for (var i = 0; i < left.size(); i++) {
            if (!same(left.get(i), right.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameFields(JsonNode left, JsonNode right) {
        for (var field : left.properties()) {
            var other = right.get(field.getKey());
            if (other == null || !same(field.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    private static boolean readsTheSame(JsonNode left, JsonNode right) {
        return left.isValueNode()
                && right.isValueNode()
                && !left.isNull()
                && !right.isNull()
                && ScriptValues.text(left).equals(ScriptValues.text(right));
    }
}
