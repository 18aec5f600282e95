package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

@FunctionalInterface
interface ExactMethod<T extends JsonNode> {
    JsonNode call(T self, List<JsonNode> arguments, ClosureFrame frame);
}
