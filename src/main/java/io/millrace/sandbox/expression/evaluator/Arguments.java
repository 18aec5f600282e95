package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.util.List;

/** Arguments of one call; a missing one is undefined. */
public final class Arguments {
    static final Arguments NONE = new Arguments(List.of());

    private final List<JsonNode> values;

    public Arguments(List<JsonNode> values) {
        this.values = values;
    }

    static Arguments of(JsonNode... values) {
        return new Arguments(List.of(values));
    }

    public int size() {
        return values.size();
    }

    public List<JsonNode> all() {
        return values;
    }

    public JsonNode at(int index) {
        return index < values.size() ? values.get(index) : MissingNode.getInstance();
    }

    boolean isGiven(int index) {
        return index < values.size() && !values.get(index).isMissingNode();
    }

    public double number(Evaluator evaluator, int index) {
        return JsNumbers.of(at(index), evaluator.meter());
    }

    /** An integer as JavaScript converts positions: NaN is 0, fractions are cut. */
    double integer(Evaluator evaluator, int index, double whenAbsent) {
        return isGiven(index) ? JsNumbers.integer(number(evaluator, index)) : whenAbsent;
    }

    OpaqueValue.Callable function(int index) {
        var callable = OpaqueValue.callableIn(at(index));
        if (callable == null) {
            throw JsError.type("argument " + (index + 1) + " is not a function");
        }
        return callable;
    }
}
