package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;

@FunctionalInterface
interface ClosureTarget {
    void accept(ClosureFrame frame, JsonNode value);
}
