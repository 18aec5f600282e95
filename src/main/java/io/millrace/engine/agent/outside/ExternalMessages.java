package io.millrace.engine.agent.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ShownText;

/** MCP messages to and from a server, independent of the transport. Pure. */
final class ExternalMessages {
    private static final int TEXT_LENGTH_MAX = 300;
    private static final int METHOD_NOT_FOUND = -32601;

    private ExternalMessages() {}

    static ObjectNode notification(String method) {
        return Json.object().put("jsonrpc", "2.0").put("method", method);
    }

    /** @param id the server answers under it; never used before in the session */
    static ObjectNode request(int id, String method, ObjectNode params) {
        var request = notification(method).put("id", id);
        request.set("params", params);
        return request;
    }

    /** Answer to a request of the server: acknowledges a ping and offers no capabilities. */
    static ObjectNode answer(JsonNode request) {
        var answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", request.path("id"));
        if (request.path("method").asText().equals("ping")) {
            answer.putObject("result");
        } else {
            answer.putObject("error").put("code", METHOD_NOT_FOUND).put("message", "Method not found");
        }
        return answer;
    }

    /**
     * Extracts the result of an answer.
     *
     * @param instead error message when the answer is neither a result nor an error
     * @throws ExternalServer.Unusable when it is not a result
     */
    static JsonNode resultOf(JsonNode answer, String instead) {
        if (answer.path("error").isObject()) {
            throw new ExternalServer.Unusable("The server answered with an error: "
                    + ShownText.of(answer.path("error").path("message").asText("without a message"), TEXT_LENGTH_MAX));
        }
        if (!answer.path("result").isObject()) {
            throw new ExternalServer.Unusable(instead);
        }
        return answer.path("result");
    }

    /**
     * Accepts every status except those of a failed authentication.
     *
     * @throws ExternalServer.Unusable when the server refuses the credentials
     */
    static void checkAdmission(int status) {
        if (status == 401 || status == 403) {
            throw new ExternalServer.Unusable("The server did not accept the credentials: status " + status);
        }
    }
}
