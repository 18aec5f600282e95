package io.millrace.sandbox.expression;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The two results of resolving an input (contract flows-and-engine 7.8).
 *
 * @param value value for the step
 * @param censored value for the log; the same node if it contains no secret
 */
public record ResolvedInput(JsonNode value, JsonNode censored) {
    public static final String REDACTED = "**REDACTED**";
}
