package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.util.Map;

public final class Functions {
    private Functions() {}

    @FunctionalInterface
    public interface Body extends OpaqueValue.Body {
        JsonNode call(Evaluator evaluator, Arguments arguments);
    }

    static JsonNode of(String name, Body body) {
        return OpaqueValue.callable(name, body, Map.of());
    }

    /** A name that has members, and may be a function too: then its body is given, else null. */
    static JsonNode namespace(String name, Body body, Map<String, JsonNode> members) {
        return OpaqueValue.callable(name, body, members);
    }

    static JsonNode call(OpaqueValue.Callable function, Evaluator evaluator, Arguments arguments) {
        evaluator.meter().spend(1);
        return ((Body) function.body()).call(evaluator, arguments);
    }
}
