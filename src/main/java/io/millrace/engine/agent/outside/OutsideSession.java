package io.millrace.engine.agent.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;

/**
 * A session with an MCP server: how messages get there, and answers back. Whoever has opened it ends it, whatever comes of it.
 * Fails with {@link OutsideServer.Unusable} where the server is to blame.
 */
interface OutsideSession {
    /**
     * What a request was answered with.
     *
     * @param length of the answer as it came
     */
    record Answer(JsonNode result, long length) {}

    Future<Answer> ask(String method, ObjectNode params, long timeoutMs);

    /** Tells the server what it need not answer. */
    Future<Void> tell(String method);

    /** Never fails. */
    Future<Void> end();
}
