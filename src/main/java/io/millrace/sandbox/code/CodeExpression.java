package io.millrace.sandbox.code;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;

/**
 * One JavaScript expression beyond the server's own grammar (contract flows-and-engine 7.5).
 *
 * @param key id of the project, for fair queueing
 * @param globals the names the expression may use, besides the language and flattenNestedKeys
 */
public record CodeExpression(String key, String expression, ObjectNode globals, CodeLimits limits) {
    public CodeExpression {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(expression, "expression");
        Objects.requireNonNull(globals, "globals");
        Objects.requireNonNull(limits, "limits");
    }
}
