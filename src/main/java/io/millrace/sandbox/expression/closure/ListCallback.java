package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;

/** Function that a method of a list calls for its elements. */
@FunctionalInterface
interface ListCallback {
    JsonNode call(ClosureFrame frame, JsonNode... arguments);
}
