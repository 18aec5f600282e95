package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;

@FunctionalInterface
interface ListCallback {
    JsonNode call(ClosureFrame frame, JsonNode... arguments);
}
