package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Compiled syntax: an expression, or a statement, whose value is null unless it ends the statements around it. */
@FunctionalInterface
interface Computation {
    @Nullable
    JsonNode in(ClosureFrame frame);
}
