package io.millrace.integration.failure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.regex.Pattern;

final class FailureMessages {
    /** Texts of our HTTP client, of Node.js, and of clients of mail and databases. */
    private static final Pattern UNREACHABLE = Pattern.compile(
            "connection (was )?(refused|reset|closed|timed out)|refused the connection|timed out|did not answer"
                    + "|timeout of \\d+ms exceeded|could not be (resolved|reached)|cannot be (resolved|reached)"
                    + "|\\bE(CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|PIPE)\\b"
                    + "|socket hang up|fetch failed|too many requests are waiting for|TLS handshake|self[- ]signed certificate"
                    + "|unable to verify|certificate has expired|answered with something that is not HTTP"
                    + "|^the proxy .* did not connect",
            Pattern.CASE_INSENSITIVE);

    private FailureMessages() {}

    static boolean isUnreachable(FailureFacts facts) {
        return UNREACHABLE.matcher(facts.message()).find();
    }

    /** Returns whether a message is the indented JSON of refused properties: a list of reasons by property. */
    static boolean isInvalidInput(FailureFacts facts) {
        try {
            return facts.message().startsWith("{")
                    && Json.parse(facts.message()) instanceof ObjectNode reasons
                    && !reasons.isEmpty()
                    && reasons.valueStream().allMatch(FailureMessages::isReason);
        } catch (JsonProcessingException plainText) {
            return false;
        }
    }

    private static boolean isReason(JsonNode reason) {
        return reason.isArray() && !reason.isEmpty() || reason.isObject() && !reason.isEmpty();
    }
}
