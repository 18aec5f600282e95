package io.millrace.piece.model;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A tool call requested by the model.
 *
 * @param id of the call, by the provider or by us
 * @param arguments empty when the model's text was none
 * @param problem problem of the arguments; null when they are valid
 */
public record ToolRequest(String id, String name, ObjectNode arguments, String problem) {}
