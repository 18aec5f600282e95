package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.util.Map;

final class ArrayGlobal {
    private ArrayGlobal() {}

    static JsonNode value() {
        return Functions.namespace(
                "Array",
                ArrayGlobal::construct,
                Map.of(
                        "isArray",
                        Functions.of(
                                "isArray",
                                (_, arguments) ->
                                        BooleanNode.valueOf(arguments.at(0).isArray())),
                        "from",
                        Functions.of("from", ArrayGlobal::from),
                        "of",
                        Functions.of("of", ArrayGlobal::of)));
    }

    private static JsonNode of(Evaluator evaluator, Arguments arguments) {
        var list = evaluator.newList();
        arguments.all().forEach(item -> evaluator.add(list, item));
        return list;
    }

    private static JsonNode construct(Evaluator evaluator, Arguments arguments) {
        return arguments.size() == 1 && arguments.at(0).isNumber()
                ? ofLength(evaluator, arguments.number(evaluator, 0))
                : of(evaluator, arguments);
    }

    private static JsonNode ofLength(Evaluator evaluator, double length) {
        if (length < 0 || length != Math.floor(length)) {
            throw JsError.range("Invalid array length");
        }
        evaluator.meter().list((long) length);
        var list = evaluator.newList();
        for (var i = 0; i < length; i++) {
            list.add(MissingNode.getInstance());
        }
        return list;
    }

    private static JsonNode from(Evaluator evaluator, Arguments arguments) {
        var source = arguments.at(0);
        var items = source instanceof ObjectNode object
                ? ofLength(
                        evaluator,
                        Math.max(0, JsNumbers.integer(JsNumbers.of(object.path("length"), evaluator.meter()))))
                : evaluator.elementsOf(source);
        var function = arguments.isGiven(1) ? arguments.function(1) : null;
        var list = evaluator.newList();
        for (var item : items) {
            var index = JsNumbers.node(list.size());
            evaluator.add(list, function == null ? item : evaluator.call(function, item, index));
        }
        return list;
    }
}
