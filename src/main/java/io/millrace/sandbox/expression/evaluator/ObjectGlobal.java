package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.Map;
import java.util.function.BiConsumer;

final class ObjectGlobal {
    private ObjectGlobal() {}

    static JsonNode value() {
        return Functions.namespace(
                "Object",
                (evaluator, arguments) -> arguments.size() == 0 ? evaluator.newObject() : arguments.at(0),
                Map.of(
                        "keys", Functions.of("keys", ObjectGlobal::keys),
                        "values", Functions.of("values", ObjectGlobal::values),
                        "entries", Functions.of("entries", ObjectGlobal::entries),
                        "assign", Functions.of("assign", ObjectGlobal::assign),
                        "fromEntries", Functions.of("fromEntries", ObjectGlobal::fromEntries),
                        "hasOwn", Functions.of("hasOwn", ObjectGlobal::hasOwn),
                        "freeze", Functions.of("freeze", (_, arguments) -> arguments.at(0))));
    }

    private static void visit(Evaluator evaluator, JsonNode value, BiConsumer<String, JsonNode> visitor) {
        switch (value) {
            case ObjectNode object ->
                object.properties().forEach(property -> visitor.accept(property.getKey(), property.getValue()));
            case ArrayNode list -> {
                for (var i = 0; i < list.size(); i++) {
                    visitor.accept(Integer.toString(i), list.get(i));
                }
            }
            case TextNode word -> {
                evaluator.meter().list(word.textValue().length());
                for (var i = 0; i < word.textValue().length(); i++) {
                    visitor.accept(
                            Integer.toString(i),
                            TextNode.valueOf(String.valueOf(word.textValue().charAt(i))));
                }
            }
            default -> {}
        }
    }

    private static JsonNode subject(Arguments arguments) {
        if (JsValues.isNullish(arguments.at(0))) {
            throw JsError.type("cannot convert undefined or null to object");
        }
        return arguments.at(0);
    }

    private static JsonNode keys(Evaluator evaluator, Arguments arguments) {
        var result = evaluator.newList();
        visit(evaluator, subject(arguments), (key, _) -> evaluator.add(result, TextNode.valueOf(key)));
        return result;
    }

    private static JsonNode values(Evaluator evaluator, Arguments arguments) {
        var result = evaluator.newList();
        visit(evaluator, subject(arguments), (_, value) -> evaluator.add(result, value));
        return result;
    }

    private static JsonNode entries(Evaluator evaluator, Arguments arguments) {
        var result = evaluator.newList();
        visit(evaluator, subject(arguments), (key, value) -> {
            var pair = evaluator.newList();
            evaluator.add(pair, TextNode.valueOf(key));
            evaluator.add(pair, value);
            evaluator.add(result, pair);
        });
        return result;
    }

    static void copy(Evaluator evaluator, JsonNode from, ObjectNode into) {
        visit(evaluator, from, (key, value) -> evaluator.put(into, key, value));
    }

    private static JsonNode assign(Evaluator evaluator, Arguments arguments) {
        subject(arguments);
        var result = evaluator.newObject();
        arguments.all().forEach(source -> copy(evaluator, source, result));
        return result;
    }

    private static JsonNode fromEntries(Evaluator evaluator, Arguments arguments) {
        var result = evaluator.newObject();
        for (var pair : evaluator.elementsOf(arguments.at(0))) {
            if (!pair.isArray()) {
                throw JsError.type("iterator value is not an entry object");
            }
            var key = pair.path(0);
            evaluator.put(result, evaluator.text(key), pair.path(1));
        }
        return result;
    }

    private static JsonNode hasOwn(Evaluator evaluator, Arguments arguments) {
        return BooleanNode.valueOf(subject(arguments).isContainerNode()
                && Members.has(subject(arguments), evaluator.text(arguments.at(1)), evaluator.meter()));
    }
}
