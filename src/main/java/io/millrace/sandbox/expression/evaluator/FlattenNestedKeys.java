package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;

/** {@code flattenNestedKeys(value, keys)} (contract flows-and-engine 7.5). */
public final class FlattenNestedKeys {
    /** First characters of a token that makes a mixed text a list of texts (contract 7.3). */
    public static final String NAME = "flattenNestedKeys";

    private FlattenNestedKeys() {}

    static JsonNode call(Evaluator evaluator, Arguments arguments) {
        var keys = new ArrayList<String>();
        for (var key : arguments.at(1)) {
            evaluator.meter().element();
            keys.add(evaluator.text(key));
        }
        var result = evaluator.newList();
        collect(evaluator, arguments.at(0), keys, result);
        return result;
    }

    private static void collect(Evaluator evaluator, JsonNode value, List<String> keys, ArrayNode into) {
        evaluator.meter().enter();
        switch (value.getNodeType()) {
            case ARRAY -> value.forEach(item -> collect(evaluator, item, keys, into));
            case OBJECT -> {
                if (!keys.isEmpty()) {
                    evaluator.meter().key(keys.getFirst());
                    collect(evaluator, value.path(keys.getFirst()), keys.subList(1, keys.size()), into);
                }
            }
            case MISSING -> {}
            case STRING, NUMBER, BOOLEAN, NULL, POJO, BINARY -> {
                if (keys.isEmpty()) {
                    evaluator.add(into, value);
                }
            }
        }
        evaluator.meter().leave();
    }
}
