package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.value.Meter;
import org.jspecify.annotations.Nullable;

final class ClosureFrame {
    private final @Nullable ClosureFrame outer;
    private final Evaluator evaluator;
    private final JsonNode[] slots;

    ClosureFrame(@Nullable ClosureFrame outer, Evaluator evaluator, int slots) {
        this.outer = outer;
        this.evaluator = evaluator;
        this.slots = new JsonNode[slots];
    }

    ClosureFrame up(int levels) {
        var frame = this;
        for (var level = 0; level < levels; level++) {
            frame = frame.outer;
        }
        return frame;
    }

    JsonNode get(int slot) {
        return slots[slot];
    }

    void set(int slot, JsonNode value) {
        slots[slot] = value;
    }

    Evaluator evaluator() {
        return evaluator;
    }

    Meter meter() {
        return evaluator.meter();
    }
}
