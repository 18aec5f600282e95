package io.millrace.sandbox.node.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.nio.file.Path;

/** Requests of a package to the server during a call. Called on the context that made the call. */
@FunctionalInterface
public interface ReverseCalls {
    /**
     * Answers one question.
     *
     * @param method for example {@code store.get}
     * @param exchange folder of the process, that transfers large values
     * @return the answer, null for none; a failure reaches the package as an error
     */
    Future<JsonNode> ask(String method, ObjectNode params, Path exchange);
}
