package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a trigger's hooks are given.
 *
 * @param props processed input of the trigger
 * @param payload what came in; {@code {method, headers, queryParams, body, rawBody?}} for a webhook
 */
public record TriggerContext(String projectId, String flowId, ObjectNode props, JsonNode payload) {}
