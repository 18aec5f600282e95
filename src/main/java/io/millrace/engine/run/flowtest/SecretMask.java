package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.net.SensitiveHeaders;
import io.millrace.piece.SecretCensor;
import io.millrace.sandbox.expression.Secrets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Replaces secrets in a test that is made from a run: texts in fields with the name of a credential, and the values of the
 * connections and variables that the version uses. Each is replaced wherever it occurs, so that an echo of it in a later
 * step or in the answer still agrees.
 */
final class SecretMask {
    private SecretMask() {}

    static ObjectNode masked(ObjectNode content, Secrets secrets) {
        Set<String> named = new LinkedHashSet<>();
        collect(content, false, named);
        return (ObjectNode) SecretCensor.censored(content, List.of(secrets), named);
    }

    /** Recursion as deep as the content, which is bounded before. */
    private static void collect(JsonNode value, boolean isNamed, Set<String> found) {
        if (value.isTextual()) {
            if (isNamed) {
                found.add(value.textValue());
            }
        } else if (value.isObject()) {
            value.properties()
                    .forEach(field ->
                            collect(field.getValue(), isNamed || SensitiveHeaders.isSensitive(field.getKey()), found));
        } else {
            value.forEach(item -> collect(item, isNamed, found));
        }
    }
}
