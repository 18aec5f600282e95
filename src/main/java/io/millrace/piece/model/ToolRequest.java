package io.millrace.piece.model;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A call of a tool that the model wants.
 *
 * @param id of the call, by the provider or by us
 * @param arguments empty when the model's text was none
 * @param problem what is wrong with the arguments as the model wrote them; null when they are sound
 */
public record ToolRequest(String id, String name, ObjectNode arguments, String problem) {}
