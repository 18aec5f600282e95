package io.millrace.sandbox.expression;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The two results of resolving an input (contract flows-and-engine 7.8).
 *
 * @param value what the step gets
 * @param censored what the log gets; the very same node when nothing in it is secret
 */
public record Resolved(JsonNode value, JsonNode censored) {}
