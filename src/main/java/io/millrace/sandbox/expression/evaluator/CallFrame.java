package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.Meter;
import java.util.ArrayList;
import java.util.List;

/** The parameters of one call of an arrow function, and the frame that it was written in. */
final class CallFrame {
    private static final int NAMES_PER_UNIT = 8;

    private final CallFrame outer;
    private final List<String> names = new ArrayList<>(2);
    private final List<JsonNode> values = new ArrayList<>(2);

    CallFrame(CallFrame outer) {
        this.outer = outer;
    }

    void put(String name, JsonNode value) {
        names.add(name);
        values.add(value);
    }

    JsonNode get(String name, Meter meter) {
        for (var frame = this; frame != null; frame = frame.outer) {
            meter.spend(frame.names.size() / NAMES_PER_UNIT);
            var index = frame.names.lastIndexOf(name);
            if (index >= 0) {
                return frame.values.get(index);
            }
        }
        throw JsError.reference(name);
    }
}
