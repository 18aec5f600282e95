package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;

/** Variables that receive a value. */
@FunctionalInterface
interface ClosureTarget {
    void accept(ClosureFrame frame, JsonNode value);
}
