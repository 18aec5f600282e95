package io.millrace.piece.model;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A tool that the model may call.
 *
 * @param schema JSON Schema of its arguments, an object
 */
public record ModelTool(String name, String description, ObjectNode schema) {}
