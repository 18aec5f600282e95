package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Method of values of one type. */
@FunctionalInterface
interface ExactMethod<T extends JsonNode> {
    JsonNode call(T self, List<JsonNode> arguments, ClosureFrame frame);
}
