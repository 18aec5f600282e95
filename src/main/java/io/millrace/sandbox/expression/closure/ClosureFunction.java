package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;

/** A compiled function. Functions are no values of the subset: each call names its function. */
final class ClosureFunction {
    private static final int SLOTS_PER_UNIT = 16;

    private final ClosureLevel level;
    private final List<ClosureTarget> parameters;
    private final Computation body;

    /** @param level variables of the function, complete once its body is compiled */
    ClosureFunction(ClosureLevel level, List<ClosureTarget> parameters, Computation body) {
        this.level = level;
        this.parameters = parameters;
        this.body = body;
    }

    /** @param definition frame in which the function is declared */
    JsonNode call(ClosureFrame definition, JsonNode... arguments) {
        var meter = definition.meter();
        meter.enter();
        meter.spend(parameters.size() + level.size() / SLOTS_PER_UNIT);
        var frame = new ClosureFrame(definition, definition.evaluator(), level.size());
        for (var index = 0; index < parameters.size(); index++) {
            parameters
                    .get(index)
                    .accept(frame, index < arguments.length ? arguments[index] : MissingNode.getInstance());
        }
        var value = body.in(frame);
        meter.leave();
        return value == null ? MissingNode.getInstance() : value;
    }
}
