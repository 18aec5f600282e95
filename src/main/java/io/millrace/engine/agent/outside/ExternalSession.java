package io.millrace.engine.agent.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;

/**
 * A session with an MCP server: sends messages and receives the answers. The caller that opened it must end it, also after a
 * failure. Fails with {@link ExternalServer.Unusable} if the server is at fault.
 */
interface ExternalSession {
    /**
     * Answer to a request.
     *
     * @param length size of the answer as received
     */
    record Answer(JsonNode result, long length) {}

    Future<Answer> ask(String method, ObjectNode params, long timeoutMs);

    /** Sends a notification, which the server does not answer. */
    Future<Void> tell(String method);

    /** Never fails. */
    Future<Void> end();
}
