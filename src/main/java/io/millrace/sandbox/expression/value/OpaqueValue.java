package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.POJONode;
import java.util.Map;

/**
 * A value that JSON does not have: it is a node of the tree while an expression runs and is never part of a result. Undefined needs
 * no separate kind: it is the missing node.
 */
public sealed interface OpaqueValue {
    /** Implementation of a function; only the evaluator can call it. */
    interface Body {}

    /**
     * A function, or a name such as {@code Math} that only has members.
     *
     * @param body null when it cannot be called
     */
    record Callable(String name, Body body, Map<String, JsonNode> members) implements OpaqueValue {}

    /** A date: milliseconds since the epoch, NaN when invalid. */
    record Moment(double time) implements OpaqueValue {}

    record Regex(JsPattern pattern) implements OpaqueValue {}

    static JsonNode callable(String name, Body body, Map<String, JsonNode> members) {
        return new POJONode(new Callable(name, body, members));
    }

    static JsonNode moment(double time) {
        return new POJONode(new Moment(time));
    }

    /** The exotic value inside a node; null for ordinary data. */
    static OpaqueValue in(JsonNode node) {
        return node instanceof POJONode pojo && pojo.getPojo() instanceof OpaqueValue exotic ? exotic : null;
    }

    /** The function inside a node; null when it is none. */
    static Callable callableIn(JsonNode node) {
        return in(node) instanceof Callable callable && callable.body() != null ? callable : null;
    }
}
